import { Disposable, workspace } from 'vscode';
import type { Engine } from './engine.ts';
import { reportFailure } from './reportFailure.ts';
import type { Services } from './services.ts';
import type { WindowScope } from './windowScope.ts';

interface Followed {
  services: Services;
  engine: Engine;
  scope: WindowScope;
  /** Called once it is known what the window is open on. */
  onDidStart: () => void;
}

/**
 * Connects the stores when there are runs to show, now and after the workspace became trusted or got other
 * folders. A repository that AgentKit was never used in costs one look at the file system.
 */
export function followWorkspace({ services, engine, scope, onDidStart }: Followed): Disposable {
  let waiting = new Disposable(() => undefined);
  const start = async () => {
    waiting.dispose();
    await scope.read();
    if (workspace.isTrusted && (await scope.hasRuns())) await engine.kit();
    else if (workspace.isTrusted) waiting = scope.whenMoreComes(guarded(start));
    onDidStart();
  };
  const startOver = async () => {
    services.lanes.disconnect();
    await engine.close();
    await start();
  };
  const guarded = (act: () => Promise<void>) => () =>
    void act().catch((error: unknown) => reportFailure(services, error, 'activate'));
  guarded(start)();
  return Disposable.from(
    new Disposable(() => {
      waiting.dispose();
    }),
    engine.onDidCreate((kit) => guarded(() => services.lanes.connect(kit))()),
    workspace.onDidGrantWorkspaceTrust(guarded(start)),
    workspace.onDidChangeWorkspaceFolders(guarded(startOver)),
  );
}

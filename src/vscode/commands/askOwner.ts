import { l10n, ProgressLocation, window } from 'vscode';
import { messageOf } from '../../core/agentKitError.ts';
import type { Answer, RequestBody } from '../../core/run/request.ts';
import type { AgentKit, RequestWait } from '../../engine/agentKitTypes.ts';
import { failureReason } from '../platform/failureReason.ts';
import { plainMessage } from '../platform/plainMessage.ts';
import type { NotifyAction } from '../platform/notify.ts';
import type { Services } from '../platform/services.ts';

/**
 * Asks the owner of a run for something and tells what came of it; a refusal is a warning with its reason. Cancel
 * withdraws the request, as from an owner that does not answer.
 * @throws AgentKitError `cancelled`
 */
export function askOwner(
  services: Services,
  run: string,
  request: RequestBody,
  title: string,
): Promise<Answer> {
  return askWith(services, { what: `${request.do} in ${run}`, title }, (kit, wait) =>
    kit.request(run, request, wait),
  );
}

/** The same for what is asked in another way; `offer` is what can be done with it then. @throws as `askOwner` */
export async function askWith<T extends Answer>(
  services: Services,
  { what, title, offer }: { what: string; title: string; offer?: (answer: T) => NotifyAction[] },
  ask: (kit: AgentKit, wait: RequestWait) => Promise<T>,
): Promise<T> {
  services.requireTrust();
  const kit = await services.kit();
  const asked = window.withProgress(
    { location: ProgressLocation.Notification, title: plainMessage(title), cancellable: true },
    (progress, token) => {
      const abort = new AbortController();
      token.onCancellationRequested(() => abort.abort());
      const onWait = ({ pid }: { pid: number }) =>
        progress.report({ message: l10n.t('waits for process {0}, which owns the run', pid) });
      return ask(kit, { signal: abort.signal, onWait });
    },
  );
  const answer = await Promise.resolve(asked).catch((error: unknown) => {
    // What had begun goes on, and the message says so.
    if (failureReason(error) === 'cancelled') services.notify.info(messageOf(error));
    throw error;
  });
  services.log.info(`${what}: ${answer.ok ? 'done' : 'refused'}: ${answer.message}`);
  if (answer.ok) services.notify.info(answer.message, ...(offer?.(answer) ?? []));
  else services.notify.warn(answer.message);
  await services.lanes.refresh();
  return answer;
}

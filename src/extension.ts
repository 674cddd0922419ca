import { ExtensionMode, window, type ExtensionContext } from 'vscode';
import { registerBoard } from './vscode/board/registerBoard.ts';
import { accountCommands } from './vscode/commands/accountCommands.ts';
import { chooseSessionAccount } from './vscode/commands/chooseSessionAccount.ts';
import { laneCommands } from './vscode/commands/laneCommands.ts';
import { logCommands } from './vscode/commands/logCommands.ts';
import { registerCommands } from './vscode/commands/registerCommands.ts';
import { runCommands } from './vscode/commands/runCommands.ts';
import { LaneDiagnostics } from './vscode/diagnostics/laneDiagnostics.ts';
import { Engine } from './vscode/platform/engine.ts';
import { followWorkspace } from './vscode/platform/followWorkspace.ts';
import { createNotify } from './vscode/platform/notify.ts';
import type { ForTests } from './vscode/platform/forTests.ts';
import type { Services } from './vscode/platform/services.ts';
import { createSettings } from './vscode/platform/settings.ts';
import { WindowScope } from './vscode/platform/windowScope.ts';
import { planCommands } from './vscode/plan/planCommands.ts';
import { PlanDiagnostics } from './vscode/plan/planDiagnostics.ts';
import { registerPlanLanguage } from './vscode/plan/planLanguage.ts';
import { Reviews } from './vscode/review/reviews.ts';
import { RevisionFileSystem } from './vscode/review/revisionFileSystem.ts';
import { AccountStore } from './vscode/stores/accountStore.ts';
import { LaneStore } from './vscode/stores/laneStore.ts';
import { RunResumer } from './vscode/stores/runResumer.ts';
import { AccountTerminals } from './vscode/terminals/accountTerminals.ts';
import { putAkOnPath } from './vscode/terminals/akOnPath.ts';
import { LaneTerminals } from './vscode/terminals/laneTerminals.ts';
import { AccountsTree } from './vscode/views/accountsTree.ts';
import { DoctorPage } from './vscode/views/doctorPage.ts';
import { LanesTree } from './vscode/views/lanesTree.ts';
import { Notices } from './vscode/views/notices.ts';
import { StatusBar } from './vscode/views/statusBar.ts';

export type { ForTests };

let engine: Engine | undefined;

export function activate(context: ExtensionContext): ForTests | undefined {
  const log = window.createOutputChannel('AgentKit', { log: true });
  const engineOfWindow = (engine = new Engine(context.extensionPath));
  const kit = () => engineOfWindow.kit();
  const lanes = new LaneStore();
  const accounts = new AccountStore(() => engineOfWindow.desk());
  const services: Services = {
    kit,
    desk: () => engineOfWindow.desk(),
    machine: () => engineOfWindow.machine(),
    lanes,
    accounts,
    doctor: new DoctorPage(),
    log,
    notify: createNotify(log),
    settings: createSettings(),
    requireTrust: () => engineOfWindow.requireTrust(),
    extensionUri: context.extensionUri,
  };
  const scope = new WindowScope();
  const accountsTree = new AccountsTree(services);
  const lanesTree = new LanesTree(services);
  const diagnostics = new LaneDiagnostics(services, scope);
  const terminals = new LaneTerminals(services, scope);
  const accountTerminals = new AccountTerminals(services, () => chooseSessionAccount(services));
  const reviews = new Reviews(services);

  registerCommands(context, services, laneCommands(services, { terminals, reviews }, context.globalState));
  registerCommands(context, services, runCommands(services));
  registerCommands(context, services, accountCommands(services, accountTerminals));
  registerCommands(context, services, logCommands(services));
  registerCommands(context, services, planCommands(services, registerBoard(context, services)));

  context.subscriptions.push(
    RevisionFileSystem.register(kit),
    lanesTree.view.onDidChangeSelection(({ selection: [node] }) => {
      if (node && node.type !== 'run') diagnostics.select(node);
    }),
    ...registerPlanLanguage(context.extensionUri),
    new PlanDiagnostics(),
    putAkOnPath(context, services),
    new RunResumer(services, scope),
    new Notices(lanes, services.notify),
    new StatusBar(lanes),
    followWorkspace({ services, engine: engineOfWindow, scope, onDidStart: () => accountsTree.reload() }),
    reviews,
    terminals,
    accountTerminals,
    services.doctor,
    diagnostics,
    lanesTree,
    accountsTree,
    accounts,
    lanes,
    log,
  );
  return context.extensionMode === ExtensionMode.Test ? { services, accountsTree, lanesTree } : undefined;
}

/** Lets go of this window's runs; their agents go on and the next window takes them up. */
export async function deactivate(): Promise<void> {
  await engine?.close();
}

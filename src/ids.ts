/** Every id that package.json contributes; a test holds the two against each other. */

export const laneCommandIds = [
  'agentkit.lane.openWorktree',
  'agentkit.lane.addToThisWindow',
  'agentkit.lane.showTerminal',
  'agentkit.lane.reviewChanges',
  'agentkit.lane.merge',
  'agentkit.lane.runGate',
  'agentkit.lane.retry',
  'agentkit.lane.stop',
  'agentkit.lane.copyBranch',
] as const;

export const laneCareCommandIds = [
  'agentkit.lane.create',
  'agentkit.lane.sendMessage',
  'agentkit.lane.discard',
  'agentkit.lane.restore',
  'agentkit.lane.cleanUp',
  'agentkit.lane.stopOrphans',
] as const;

export const runCommandIds = [
  'agentkit.run.stop',
  'agentkit.run.resume',
  'agentkit.run.openPlan',
  'agentkit.run.showReport',
] as const;

export const accountCommandIds = [
  'agentkit.account.refreshUsage',
  'agentkit.account.add',
  'agentkit.account.pick',
  'agentkit.account.openTerminal',
  'agentkit.account.resumeSession',
  'agentkit.account.logIn',
  'agentkit.account.exclude',
  'agentkit.account.include',
  'agentkit.account.remove',
  'agentkit.account.copyName',
] as const;

export const machineCommandIds = ['agentkit.doctor.show', 'agentkit.consent.give'] as const;

export const logCommandIds = ['agentkit.log.show'] as const;

export const planCommandIds = [
  'agentkit.plan.fanOut',
  'agentkit.plan.new',
  'agentkit.plan.openDemo',
  'agentkit.plan.start',
  'agentkit.board.open',
  'agentkit.board.showPlan',
  'agentkit.board.showRun',
] as const;

export const commandIds = [
  ...laneCommandIds,
  ...laneCareCommandIds,
  ...runCommandIds,
  ...accountCommandIds,
  ...machineCommandIds,
  ...logCommandIds,
  ...planCommandIds,
] as const;

export const viewIds = ['agentkit.accounts', 'agentkit.lanes'] as const;

export const customEditorIds = ['agentkit.planBoard'] as const;

export const terminalProfileIds = ['agentkit.agentSession'] as const;

export const settingIds = [
  'agentkit.lanes.openIn',
  'agentkit.problems.show',
  'agentkit.terminal.addToPath',
  'agentkit.permissions',
  'agentkit.env.deny',
] as const;

export const contextKeys = [
  /** `none`: no git repository, `empty`: one without a commit, `ready`. */
  'agentkit.repository',
  /** Whether there is any lane to choose from. */
  'agentkit.hasLanes',
  /** Whether accounts were read and none was found. */
  'agentkit.noAccounts',
  /** Whether the review in the active editor is of a lane that may be merged. */
  'agentkit.reviewMergeable',
] as const;

export const revisionScheme = 'agentkit-rev';

export type LaneCommandId = (typeof laneCommandIds)[number];
export type LaneCareCommandId = (typeof laneCareCommandIds)[number];
export type RunCommandId = (typeof runCommandIds)[number];
export type AccountCommandId = (typeof accountCommandIds)[number];
export type MachineCommandId = (typeof machineCommandIds)[number];
export type LogCommandId = (typeof logCommandIds)[number];
export type PlanCommandId = (typeof planCommandIds)[number];
export type CommandId = (typeof commandIds)[number];
export type CustomEditorId = (typeof customEditorIds)[number];
export type TerminalProfileId = (typeof terminalProfileIds)[number];
export type SettingId = (typeof settingIds)[number];
export type ContextKey = (typeof contextKeys)[number];

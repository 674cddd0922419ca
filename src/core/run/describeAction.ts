import type { Action } from './action.ts';

const words: Record<Action['do'], string> = {
  append: 'Writing it down',
  assign: 'Taking an account',
  createLane: 'Making its worktree',
  startSetup: 'Starting its setup',
  collectSetup: 'Reading what its setup did',
  startAttempt: 'Starting its agent',
  launchStep: 'Starting a process',
  stopStep: 'Stopping a process',
  collectAttempt: 'Reading what its agent did',
  settle: 'Committing and measuring what was done',
  startGate: 'Starting its gate',
  collectCheck: 'Reading what a check found',
  endGate: 'Ending its gate',
  planMerge: 'Planning its merge',
  applyMerge: 'Moving the target to its merge',
  closeLane: 'Closing it',
  readSpend: 'Reading what the accounts have left',
  stopMerge: 'Stopping its merge',
};

/** What an action does, for the sentence that tells why it failed. */
export function describeAction(action: Action): string {
  return words[action.do];
}

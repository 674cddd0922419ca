import { TabInputCustom, TabInputText, Uri, window } from 'vscode';
import { runOfKeptPlan } from '../platform/runOfKeptPlan.ts';
import { isPlanFile } from './isPlanFile.ts';

/** The plan file that a menu hands over as a command's argument. */
export function planArgument(argument: unknown): Uri | undefined {
  return argument instanceof Uri ? argument : undefined;
}

/** The plan file in the active tab, as text or as a board. */
export function activePlan(): Uri | undefined {
  const input = window.tabGroups.activeTabGroup.activeTab?.input;
  if (!(input instanceof TabInputText || input instanceof TabInputCustom)) return undefined;
  const { path } = input.uri;
  return isPlanFile(path) || runOfKeptPlan(path) !== undefined ? input.uri : undefined;
}

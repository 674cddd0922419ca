import { workspace } from 'vscode';
import type { SettingId } from '../../ids.ts';

/** Typed reads of the contributed settings; nothing else calls `getConfiguration`. */
export interface Settings {
  openLanesIn(): 'newWindow' | 'currentWindow';
  showProblems(): 'latestRun' | 'selectedLane' | 'off';
  addToPath(): 'ifMissing' | 'always' | 'never';
}

export function createSettings(): Settings {
  return {
    openLanesIn: () => read('agentkit.lanes.openIn', 'newWindow'),
    showProblems: () => read('agentkit.problems.show', 'latestRun'),
    addToPath: () => read('agentkit.terminal.addToPath', 'ifMissing'),
  };
}

function read<T>(id: SettingId, fallback: T): T {
  return workspace.getConfiguration().get<T>(id, fallback);
}

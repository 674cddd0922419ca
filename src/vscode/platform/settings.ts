import { Uri, workspace } from 'vscode';
import { globProblem } from '../../core/plan/globs.ts';
import type { SettingId } from '../../ids.ts';

/** Typed reads of the contributed settings; nothing else calls `getConfiguration`. */
export interface Settings {
  openLanesIn(): 'newWindow' | 'currentWindow';
  showProblems(): 'latestRun' | 'selectedLane' | 'off';
  addToPath(): 'ifMissing' | 'always' | 'never';
  /** Where in the settings agents are told to ask, in words; null where they may work without asking. */
  asks(): string | null;
}

export function createSettings(): Settings {
  return {
    openLanesIn: () => read('agentkit.lanes.openIn', 'newWindow'),
    showProblems: () => read('agentkit.problems.show', 'latestRun'),
    addToPath: () => read('agentkit.terminal.addToPath', 'ifMissing'),
    asks: askedInSettings,
  };
}

/**
 * Where agents are told to ask: at any level of the settings. What a workspace says goes before what the person says,
 * so the value that holds would let a repository take their word back. A slip does not leave autonomy on.
 */
export function askedInSettings(): string | null {
  const id: SettingId = 'agentkit.permissions';
  const places = [undefined, ...(workspace.workspaceFolders ?? []).map(({ uri }) => uri)];
  const asked = places.some((place) => {
    const said: object = workspace.getConfiguration(undefined, place).inspect(id) ?? {};
    // A remote window has two of the person's own, and the type names one.
    return Object.entries(said).some(
      ([level, value]) => level.endsWith('Value') && value !== undefined && value !== 'auto',
    );
  });
  return asked ? `${id} in the settings` : null;
}

/** Variables that the person keeps from agents; a setting of the machine, so no workspace says otherwise. */
export function deniedInSettings(): readonly string[] {
  const said = read<unknown>('agentkit.env.deny', []);
  return Array.isArray(said) ? said.filter((name) => typeof name === 'string') : [];
}

/**
 * VS Code's own word for what new worktrees are given, for repositories whose `agentkit.yaml` does not say it. What is
 * no glob of ours is left out.
 */
export function copiesInSettings(repository: string): readonly string[] {
  const said = workspace
    .getConfiguration(undefined, Uri.file(repository))
    .get<unknown>('git.worktreeIncludeFiles');
  const isGlob = (each: unknown) => typeof each === 'string' && globProblem(each) === undefined;
  return Array.isArray(said) ? said.filter((each): each is string => isGlob(each)) : [];
}

function read<T>(id: SettingId, fallback: T): T {
  return workspace.getConfiguration().get<T>(id, fallback);
}

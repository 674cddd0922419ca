import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AgentKitError } from '../../core/agentKitError.ts';
import type { WorktreeSettings } from '../../core/plan/worktreeSettings.ts';
import { worktreeOf } from '../../core/run/ownSettings.ts';
import { adminFolderAt } from '../git/adminFolders.ts';
import { git } from '../git/plumbing.ts';
import { clearCopies } from '../setup/clearCopies.ts';
import { nullIfAbsent } from '../setup/findCopies.ts';
import { placeFiles } from '../setup/placeFiles.ts';
import { reservePorts } from '../setup/reservePorts.ts';
import { userFolders } from '../store/userFolders.ts';
import { mergesOwner } from './portOwner.ts';
import type { RunContext } from './runContext.ts';
import type { MadeLane } from './settleLane.ts';

interface Given {
  ports: Record<string, number>;
  warnings: string[];
}

/**
 * Gives the worktree with a merged tree what the lane's settings give a lane, as the main checkout has it now; the setup
 * is a step of its own. Repeatable.
 * @throws AgentKitError as `placeFiles`, and as `readPorts`
 */
export async function equipMergeTree(run: RunContext, lane: MadeLane, path: string): Promise<Given> {
  const { root, commonDir } = run.repository;
  const settings = worktreeOf(run.state(), lane);
  await forgetOtherSettings(commonDir, path, settings);
  if (settings === undefined) return { ports: {}, warnings: [] };
  const { copy, link } = settings;
  await clearCopies(path, copy);
  const placed = await placeFiles({ root, path, copy, link });
  const { ports, warnings } = await givePorts(run, lane, settings.ports);
  return { ports, warnings: [...placed.warnings, ...warnings] };
}

/**
 * What git ignores stays there from merge to merge, so that a setup that finds its packages is quick; but nothing of that
 * is to be why a gate passes where the settings would not bring it any more.
 */
async function forgetOtherSettings(
  commonDir: string,
  path: string,
  settings: WorktreeSettings | undefined,
): Promise<void> {
  const admin = await adminFolderAt(commonDir, path);
  if (admin === null)
    throw new AgentKitError('conflict', `${path} is no worktree of the repository any more`);
  const file = join(admin, 'agentkit-given');
  const now = settings === undefined ? '' : JSON.stringify([settings.copy, settings.link, settings.setup]);
  const before = (await readFile(file, 'utf8').catch(nullIfAbsent)) ?? '';
  if (before === now) return;
  await git(path, ['clean', '--quiet', '-d', '-x', '--force', '--force']);
  await writeFile(file, now, { mode: 0o600 });
}

/**
 * Its own, as what a setup started in the lane may listen at the lane's; the lane's where the range has no others. No
 * lane goes without for a merge.
 */
async function givePorts(
  run: RunContext,
  { ports }: MadeLane,
  ranges: WorktreeSettings['ports'],
): Promise<Given> {
  const request = {
    stateFolder: userFolders(run.environment).state,
    owner: mergesOwner(run),
    repository: run.repository.commonDir,
    ports: ranges,
    yields: true,
  } as const;
  try {
    return { ports: await reservePorts(request), warnings: [] };
  } catch (error) {
    if (!(error instanceof AgentKitError) || error.reason !== 'conflict') throw error;
    return { ports, warnings: [`Its merge is judged with the lane's own ports: ${error.message}`] };
  }
}

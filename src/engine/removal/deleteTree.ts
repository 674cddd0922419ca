import { lstatSync, rmdirSync, unlinkSync } from 'node:fs';
import { AgentKitError } from '../../core/agentKitError.ts';
import { entriesToEmpty, ifThere } from './entriesToEmpty.ts';
import { joinBytes } from './joinBytes.ts';
import { timeSlices } from './timeSlices.ts';

export interface Deletion {
  /** Size in bytes of the files that are gone; one that has another name elsewhere frees nothing. */
  freedBytes: number;
  /** Whether nothing is left. */
  done: boolean;
}

interface Pass extends Deletion {
  device: number;
  deadline: number;
  breathe: () => Promise<unknown> | undefined;
}

/**
 * Deletes a folder with all that is in it, following no link, until a time (of `performance.now()`). What it has to
 * leave then is deleted by the next call. Read-only folders are made writable first.
 */
export async function deleteTree(folder: string, deadline: number): Promise<Deletion> {
  const found = ifThere(() => lstatSync(folder));
  if (found === null) return { freedBytes: 0, done: true };
  if (!found.isDirectory()) throw new AgentKitError('conflict', `${folder} is no folder`);
  const pass: Pass = { freedBytes: 0, done: true, device: found.dev, deadline, breathe: timeSlices() };
  await deleteFolder(Buffer.from(folder), pass);
  return { freedBytes: pass.freedBytes, done: pass.done };
}

async function deleteFolder(folder: Buffer, pass: Pass): Promise<void> {
  for (const entry of entriesToEmpty(folder)) {
    pass.done = performance.now() < pass.deadline;
    if (!pass.done) return;
    const path = joinBytes(folder, entry.name);
    const found = ifThere(() => lstatSync(path));
    if (found === null) continue;
    if (found.dev !== pass.device) {
      throw new AgentKitError('refused', `Something is mounted at ${path.toString()}; unmount it`);
    }
    if (found.isDirectory()) {
      await deleteFolder(path, pass);
      if (!pass.done) return;
    } else {
      ifThere(() => unlinkSync(path));
      if (found.nlink === 1) pass.freedBytes += found.size;
    }
    const pause = pass.breathe();
    if (pause !== undefined) await pause;
  }
  ifThere(() => rmdirSync(folder));
}

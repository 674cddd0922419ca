import { runGit } from '../git/tempRepository.ts';
import type { Rescue } from '../../../src/engine/rescue/rescueLane.ts';
import type { RescueFixture } from './rescueFixture.ts';

/** A state that a lane can be in when it is rescued. */
export interface LaneCase {
  name: string;
  /** Its lane, where a check needs to know. */
  id?: string;
  /** What an agent does in the lane. */
  prepare: (path: string, repo: RescueFixture) => void;
  /** What must work in the restored lane, beside being the same byte for byte. */
  check?: (path: string, rescue: Rescue, repo: RescueFixture) => void;
}

/** Runs git and takes any exit code, for commands that stop half-way. */
export function attempt(path: string, args: string[]): void {
  try {
    runGit(path, args);
  } catch {
    return;
  }
}

export const status = (path: string) => runGit(path, ['status', '--porcelain=v1', '--untracked-files=all']);

/** A name that is no text, with everything that quoting breaks on. */
export const notUtf8 = Buffer.from([0x66, 0xff, 0xfe, 0x0a, 0x22, 0x5c, 0x09]);

export const inFolder = (path: string, name: Buffer) => Buffer.concat([Buffer.from(`${path}/`), name]);

import { access } from 'node:fs/promises';
import { join } from 'node:path';

/** Files in a checkout's git directory that exist while it is in the middle of something. First match wins. */
const traces = [
  ['rebase-merge', 'rebase'],
  ['rebase-apply/applying', 'am'],
  ['rebase-apply', 'rebase'],
  ['MERGE_HEAD', 'merge'],
  ['CHERRY_PICK_HEAD', 'cherry-pick'],
  ['REVERT_HEAD', 'revert'],
  ['sequencer', 'cherry-pick or revert of several commits'],
  ['BISECT_LOG', 'bisect'],
] as const;

/** What a checkout is in the middle of, named as git's command; null when nothing. Takes its own git directory. */
export async function operationInProgress(gitDir: string): Promise<string | null> {
  for (const [file, operation] of traces) {
    const there = await access(join(gitDir, file)).then(
      () => true,
      () => false,
    );
    if (there) return operation;
  }
  return null;
}

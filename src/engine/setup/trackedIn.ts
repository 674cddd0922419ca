import { git } from '../git/plumbing.ts';
import { splitNulText } from '../git/splitNul.ts';

/** What git tracks in a checkout, relative to its top. */
export async function trackedIn(checkout: string): Promise<Set<string>> {
  return new Set(splitNulText((await git(checkout, ['ls-files', '-z'])).stdout));
}

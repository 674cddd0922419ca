import { git } from './plumbing.ts';
import { splitNulText } from './splitNul.ts';

/** Git's settings as they hold in a checkout, the last of each name; names as git writes them, in lower case. */
export type GitSettings = ReadonlyMap<string, string>;

export async function settingsOf(path: string): Promise<GitSettings> {
  // With hooks, as else our own setting that turns them off would be among them. Nothing runs here.
  const { stdout } = await git(path, ['config', '--list', '-z'], { hooks: true });
  return new Map(
    splitNulText(stdout).map((field) => {
      const end = field.indexOf('\n');
      return end === -1 ? [field, 'true'] : [field.slice(0, end), field.slice(end + 1)];
    }),
  );
}

import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { Fingerprint } from '../../core/safety/fingerprint.ts';
import type { Repository } from '../git/openRepository.ts';
import { git } from '../git/plumbing.ts';
import { splitNulText } from '../git/splitNul.ts';
import { describeFile } from './describeFile.ts';

/** Files beside `config` by which one checkout changes what git does in all of them. */
const alike = [
  'info/attributes',
  'info/exclude',
  'info/grafts',
  'info/sparse-checkout',
  'objects/info/alternates',
];

export interface SharedSettings extends Pick<Fingerprint['config'], 'values' | 'bare' | 'files'> {
  /** Where hooks are looked for, as it stands in the settings; undefined for git's own folder. */
  hooksPath: string | undefined;
}

/** The settings that are in force in the main checkout; those of the machine and the user only where they name hooks. */
export async function readSettings({ root, commonDir }: Repository): Promise<SharedSettings> {
  const { stdout } = await git(root, ['config', '--list', '-z', '--show-scope']);
  const fields = splitNulText(stdout);
  const own = new Map<string, string[]>();
  const inForce = new Map<string, string>();
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [scope = '', entry = ''] = [fields[at], fields[at + 1]];
    // Ours, of this very call.
    if (scope === 'command') continue;
    const [name = '', ...rest] = entry.split('\n');
    // A name alone stands for true.
    const value = entry === name ? 'true' : rest.join('\n');
    inForce.set(name, value);
    if (scope === 'local' || scope === 'worktree') own.set(name, [...(own.get(name) ?? []), value]);
  }
  // Hooks of the user or the machine run in the repository too.
  const hooksPath = inForce.get('core.hookspath');
  if (hooksPath !== undefined && !own.has('core.hookspath')) own.set('core.hookspath', [hooksPath]);
  const files = await Promise.all(
    alike.map(async (name) => [name, await describeFile(join(commonDir, name))]),
  );
  return {
    values: Object.fromEntries([...own].map(([name, values]) => [name, hash(values.join('\0'))])),
    bare: isTrue(inForce.get('core.bare')),
    hooksPath,
    files: Object.fromEntries(files.filter(([, state]) => state !== null) as [string, string][]),
  };
}

function isTrue(value = ''): boolean {
  return /^(true|yes|on|[1-9]\d*)$/i.test(value);
}

/** Short on purpose: enough to see a change, too little to try out what a secret was. */
function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 8);
}

import { join } from 'node:path';
import { gitText } from './plumbing.ts';
import type { GitSettings } from './settingsOf.ts';

/** The folder from which git takes the hooks of a checkout. A relative `core.hooksPath` means another one in each. */
export async function hooksFolder(path: string, commonDir: string, settings: GitSettings): Promise<string> {
  if (settings.get('core.hookspath') === undefined) return join(commonDir, 'hooks');
  return gitText(path, ['rev-parse', '--path-format=absolute', '--git-path', 'hooks'], { hooks: true });
}

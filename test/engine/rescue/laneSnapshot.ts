import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';

/**
 * Everything in a folder, read by plain file calls: by raw path (one character a byte) its kind, permissions and
 * bytes. Nothing of the code under test is in it.
 */
export function snapshot(
  folder: string,
  skip: (path: string) => boolean = () => false,
): Record<string, string> {
  const found: Record<string, string> = {};
  const visit = (path: string): void => {
    const place = Buffer.from(path === '' ? folder : `${folder}/`, 'utf8');
    const full = path === '' ? place : Buffer.concat([place, Buffer.from(path, 'latin1')]);
    for (const name of readdirSync(full, { encoding: 'buffer' })) {
      const child = (path === '' ? '' : `${path}/`) + name.toString('latin1');
      if (skip(child)) continue;
      const file = Buffer.concat([Buffer.from(`${folder}/`), Buffer.from(child, 'latin1')]);
      const stat = lstatSync(file);
      const mode = (stat.mode & 0o7777).toString(8);
      if (stat.isDirectory()) {
        found[child] = `folder ${mode}`;
        visit(child);
      } else if (stat.isSymbolicLink()) {
        found[child] = `link ${readlinkSync(file, { encoding: 'buffer' }).toString('latin1')}`;
      } else if (stat.isFile()) {
        const hash = createHash('sha256').update(readFileSync(file)).digest('hex');
        found[child] = `file ${mode} ${stat.size} ${hash.slice(0, 16)}`;
      } else {
        found[child] = 'special';
      }
    }
  };
  visit('');
  return found;
}

/** A lane's worktree, without the file that git puts there. */
export function worktreeSnapshot(path: string): Record<string, string> {
  return snapshot(path, (child) => child === '.git');
}

/** What git keeps of a worktree, without what says where it is and that it is ours. */
export function adminSnapshot(admin: string): Record<string, string> {
  const place = ['commondir', 'gitdir', 'locked', 'agentkit.json'];
  return snapshot(admin, (child) => place.includes(child));
}

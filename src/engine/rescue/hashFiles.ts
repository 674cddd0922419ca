import { createHash } from 'node:crypto';
import { AgentKitError } from '../../core/agentKitError.ts';
import { git } from '../git/plumbing.ts';
import { rawPath, toBytes } from './byteNames.ts';
import type { LaneFolder } from './laneFolder.ts';
import type { Entry } from './scanFolder.ts';

/** Ids that git gives to content of a kind, as it is. */
export function hashObject(algorithm: string, type: string, content: Buffer): string {
  return createHash(algorithm).update(`${type} ${content.length}\0`).update(content).digest('hex');
}

/**
 * The ids of files' and links' raw bytes by path, without writing them. Folders have none.
 * @throws AgentKitError `not_accessible` for a file that cannot be read, `conflict` for one that vanished
 */
export async function hashFiles(
  lane: LaneFolder,
  folder: string,
  entries: readonly Entry[],
): Promise<Map<string, string>> {
  const ids = new Map<string, string>();
  for (const { kind, path, target } of entries) {
    if (kind === 'link') ids.set(path, hashObject(lane.algorithm, 'blob', toBytes(target)));
  }
  const files = entries.filter(({ kind }) => kind === 'file');
  if (files.length === 0) return ids;
  const input = files.map(({ path }) => `${quote(rawPath(folder, path))}\n`).join('');
  const hashed = await git(lane.root, ['hash-object', '--no-filters', '--stdin-paths'], { input }).catch(
    (error: unknown) => {
      throw explain(error);
    },
  );
  const lines = hashed.stdout.toString('latin1').split('\n');
  files.forEach(({ path }, n) => ids.set(path, lines[n] ?? ''));
  return ids;
}

/** A path in git's quotes, in which any byte can be written. */
function quote(path: Buffer): string {
  const text = path.toString('latin1');
  const octal = (sign: string) => `\\${sign.charCodeAt(0).toString(8).padStart(3, '0')}`;
  return `"${text.replace(/[^ !#-[\]-~]/g, octal)}"`;
}

function explain(error: unknown): unknown {
  if (!(error instanceof AgentKitError)) return error;
  const [, file, why] = /could not open '([^]*)' for reading: (.*)/.exec(error.message) ?? [];
  if (file === undefined) return error;
  const gone = why?.startsWith('No such file') ?? false;
  return gone
    ? new AgentKitError('conflict', `${file} vanished while it was read; something still writes there`, {
        cause: error,
      })
    : new AgentKitError('not_accessible', `${file} cannot be read: ${why}`, { cause: error });
}

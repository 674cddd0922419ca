import { AgentKitError } from '../../core/agentKitError.ts';
import { git } from '../git/plumbing.ts';
import { ByteReader } from './byteReader.ts';

/** An object on its way out of git's store; its content must be taken whole. */
export interface ReadObject {
  oid: string;
  type: string;
  bytes: number;
  content: AsyncIterable<Buffer>;
}

/**
 * Reads objects one after another, without holding any of them whole.
 * @throws AgentKitError `git_failed` when one is missing or git ends early; what `take` throws
 */
export async function readObjects(
  root: string,
  oids: readonly string[],
  take: (object: ReadObject, n: number) => Promise<void>,
): Promise<void> {
  if (oids.length === 0) return;
  let done = 0;
  await git(root, ['cat-file', '--batch', '--buffer'], {
    input: `${oids.join('\n')}\n`,
    consume: async (output) => {
      const reader = new ByteReader(output);
      for (let line = await reader.line(); line !== null; line = await reader.line()) {
        const [oid = '', type = '', size] = line.split(' ');
        if (size === undefined) {
          throw new AgentKitError('git_failed', `The object ${oid} is missing from ${root}`);
        }
        const bytes = Number(size);
        await take({ oid, type, bytes, content: reader.take(bytes) }, done);
        await reader.read(1);
        done += 1;
      }
    },
  });
  if (done !== oids.length) {
    throw new AgentKitError('git_failed', `Git gave only ${done} of ${oids.length} objects of ${root}`);
  }
}

/** A small object, whole. */
export async function readWhole(root: string, name: string): Promise<Buffer> {
  return (await git(root, ['cat-file', 'blob', name])).stdout;
}

import { git } from '../git/plumbing.ts';

/**
 * What is missing in the repository of all that its refs need, one line each; empty when it is whole. To be asked after
 * many lanes were removed at once. Reads no file contents, so it takes seconds even in large repositories.
 * @throws AgentKitError `timeout` when it has not ended in that time
 */
export async function brokenObjects(root: string, limitMs: number): Promise<string[]> {
  const args = ['fsck', '--connectivity-only', '--no-dangling', '--no-progress'];
  const { code, stdout, stderr } = await git(root, args, { okCodes: anyCode, timeoutMs: limitMs });
  if (code === 0) return [];
  const lines = `${stdout.toString('utf8')}\n${stderr}`.split('\n').map((line) => line.trim());
  const told = lines.filter((line) => line !== '' && !line.startsWith('notice:'));
  return told.length > 0 ? told : [`git fsck ended with exit ${code} and said nothing`];
}

/** Each bit of fsck's exit code is a kind of finding. */
const anyCode = Array.from({ length: 256 }, (_, code) => code);

import { AgentKitError } from '../../core/agentKitError.ts';
import { git } from './plumbing.ts';

/** Bytes of a file at a commit, unfiltered; of a link, its target. @throws AgentKitError `not_found` */
export async function readBlob(root: string, commit: string, path: string): Promise<Buffer> {
  const known = await git(
    root,
    ['rev-parse', '--verify', '--quiet', '--end-of-options', `${commit}^{commit}`],
    { okCodes: [0, 1, 128] },
  );
  if (known.code !== 0) throw new AgentKitError('not_found', `There is no commit ${commit} in ${root}`);
  const sha = known.stdout.toString('utf8').trim();
  const tree = await git(root, ['--literal-pathspecs', 'ls-tree', '-z', '--full-tree', sha, '--', path]);
  const [, type, oid] = /^\d+ (\w+) ([0-9a-f]+)\t/.exec(tree.stdout.toString('latin1')) ?? [];
  if (type !== 'blob' || oid === undefined)
    throw new AgentKitError('not_found', `There is no file ${path} at commit ${commit}`);
  return (await git(root, ['cat-file', 'blob', oid])).stdout;
}

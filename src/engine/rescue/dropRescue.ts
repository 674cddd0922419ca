import { rm } from 'node:fs/promises';
import { archiveOf, readManifest } from './manifest.ts';
import { commitOfRescue, deleteRescueRef } from './rescueRef.ts';

/**
 * Gives up a rescue: its ref and its archive. Only at the person's word; git drops the content with a later gc.
 * @throws AgentKitError `not_found`, `refused` for any other ref, `git_failed` when the ref moves meanwhile
 */
export async function dropRescue(request: { root: string; commonDir: string; ref: string }): Promise<void> {
  const { root, commonDir, ref } = request;
  const commit = await commitOfRescue(root, ref);
  const archive = archiveOf(commonDir, await readManifest(root, commit));
  await deleteRescueRef(root, ref, commit);
  if (archive !== null) await rm(archive.file, { force: true });
}

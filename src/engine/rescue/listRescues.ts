import { openRepository } from '../git/openRepository.ts';
import { git, gitText } from '../git/plumbing.ts';
import { archiveOf, manifestIn, parts } from './manifest.ts';
import { readObjects } from './readObjects.ts';
import { rescuePrefix } from './rescueRef.ts';
import { whole } from './restoreFiles.ts';

/** A rescue as people choose it. */
export interface RescueEntry {
  ref: string;
  commit: string;
  run: string;
  lane: string;
  /** RFC 3339, UTC. */
  at: string;
  why: string;
  /** Files and links that differed from HEAD. */
  files: number;
  bytes: number;
  archive: { file: string; bytes: number; files: number } | null;
}

/** All rescues of a repository, newest first. What has such a name and is no rescue is passed over. */
export async function listRescues(root: string): Promise<RescueEntry[]> {
  const { commonDir } = await openRepository(root);
  const lines = await gitText(root, ['for-each-ref', '--format=%(objectname) %(refname)', rescuePrefix]);
  const refs = lines.split('\n').filter((line) => line !== '');
  const named = await manifestsOf(
    root,
    refs.map((line) => line.slice(0, line.indexOf(' '))),
  );
  const readable = refs.flatMap((line, n) => {
    const space = line.indexOf(' ');
    const manifest = named[n] ?? null;
    return manifest === null ? [] : [{ commit: line.slice(0, space), ref: line.slice(space + 1), manifest }];
  });
  const found: RescueEntry[] = [];
  const oids = readable.map(({ manifest }) => manifest);
  await readObjects(root, oids, async ({ content }, n) => {
    const manifest = manifestIn(await whole(content));
    const place = readable[n];
    if (place === undefined || typeof manifest === 'string') return;
    const { run, lane, at, why, files, bytes } = manifest;
    const archive = archiveOf(commonDir, manifest);
    found.push({ ref: place.ref, commit: place.commit, run, lane, at, why, files, bytes, archive });
  });
  return found.sort((a, b) => (a.at === b.at ? b.ref.localeCompare(a.ref) : a.at < b.at ? 1 : -1));
}

/** Ids of the commits' manifests, null where there is none. */
async function manifestsOf(root: string, commits: readonly string[]): Promise<(string | null)[]> {
  if (commits.length === 0) return [];
  const input = commits.map((commit) => `${commit}:${parts.manifest}\n`).join('');
  const { stdout } = await git(root, ['cat-file', '--batch-check=%(objectname) %(objecttype)'], { input });
  const lines = stdout.toString('latin1').split('\n');
  return commits.map((_commit, n) => /^([0-9a-f]{40,64}) blob$/.exec(lines[n] ?? '')?.[1] ?? null);
}

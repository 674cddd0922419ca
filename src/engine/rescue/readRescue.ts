import { AgentKitError } from '../../core/agentKitError.ts';
import { decodePath, toText } from './byteNames.ts';
import { listTree } from './listTree.ts';
import { parts, readManifest, type Manifest } from './manifest.ts';
import { readWhole } from './readObjects.ts';
import { usualModes } from './rescueContent.ts';

/** A file, link or folder that a rescue keeps. */
export interface KeptEntry {
  /** Raw path below the worktree or the admin folder. */
  path: string;
  kind: 'file' | 'link' | 'folder';
  mode: number;
  oid: string;
}

/** A rescue, read but for the content of its files. */
export interface KeptLane {
  commit: string;
  manifest: Manifest;
  worktree: KeptEntry[];
  admin: KeptEntry[];
  branchLog: Buffer | null;
  /** Ids of annotated tags whose content is kept, by id of that content. */
  tags: { oid: string; content: string }[];
}

/** @throws AgentKitError `invalid_input` when the commit is no rescue, or names what no file can be called */
export async function readRescue(root: string, commit: string): Promise<KeptLane> {
  const manifest = await readManifest(root, commit);
  const top = await listTree(root, commit, '');
  const modes = parseModes(await readWhole(root, `${commit}:${parts.modes}`));
  const entriesOf = (part: string) => {
    const below = top.filter(({ path }) => path.startsWith(`${part}/`));
    const entries = below.map(({ path, mode, oid }): KeptEntry => {
      const plain = decodePath(path.slice(part.length + 1));
      const kind = kinds[mode];
      if (kind === undefined || !isUsual(mode)) throw unexpected(plain);
      return { path: plain, kind, mode: modes.get(`${part}/${plain}`) ?? usualModes[mode], oid };
    });
    const seen = new Set<string>();
    for (const { path } of entries) {
      // Two names could be written in two ways; one of them might be a link that the other leads through.
      if (seen.has(path)) throw unexpected(path);
      seen.add(path);
    }
    return entries;
  };
  const hasLog = top.some(({ path }) => path === parts.branchLog);
  return {
    commit,
    manifest,
    worktree: entriesOf(parts.worktree),
    admin: entriesOf(parts.admin),
    branchLog: hasLog ? await readWhole(root, `${commit}:${parts.branchLog}`) : null,
    tags: top
      .filter(({ path }) => path.startsWith(`${parts.tags}/`))
      .map(({ path, oid }) => ({ oid: path.slice(parts.tags.length + 1), content: oid })),
  };
}

const kinds: Record<string, KeptEntry['kind']> = {
  '100644': 'file',
  '100755': 'file',
  '120000': 'link',
  '040000': 'folder',
};

function isUsual(mode: string): mode is keyof typeof usualModes {
  return Object.hasOwn(usualModes, mode);
}

function unexpected(path: string): AgentKitError {
  return new AgentKitError(
    'invalid_input',
    `The rescue has "${toText(path)}" twice, or as something unknown`,
  );
}

/** The exact permissions by part and path. */
function parseModes(bytes: Buffer): Map<string, number> {
  const records = bytes.toString('latin1').split('\0').slice(0, -1);
  return new Map(
    records.map((record) => {
      const space = record.indexOf(' ');
      return [record.slice(space + 1), Number.parseInt(record.slice(0, space), 8) & 0o7777];
    }),
  );
}

import { join } from 'node:path';
import * as z from 'zod';
import { AgentKitError, messageOf } from '../../core/agentKitError.ts';
import { readWhole } from './readObjects.ts';

/** Why a lane's work was put away. */
export const rescueReasons = ['discard', 'restart', 'remove', 'blocked'] as const;

const manifestSchema = z.object({
  version: z.literal(1),
  run: z.string(),
  lane: z.string(),
  branch: z.string(),
  /** Commit that the lane was made at. */
  base: z.string(),
  why: z.enum(rescueReasons),
  at: z.string(),
  /** Where the worktree and its admin folder were: submodules say so too. */
  path: z.string(),
  admin: z.string(),
  /** Whether the worktree's folder had been deleted. */
  gone: z.boolean(),
  /** Commit of HEAD; null when it had none. */
  head: z.string().nullable(),
  /** Where the branch stood; null when it was gone. */
  tip: z.string().nullable(),
  files: z.number(),
  bytes: z.number(),
  /** Ignored files, in a tar file beside the runs. */
  archive: z
    .object({ file: z.string(), bytes: z.number(), files: z.number(), sha256: z.string() })
    .nullable(),
  left_out: z.array(z.string()),
  not_kept: z.array(z.object({ path: z.string(), reason: z.string() })),
  nested: z.array(z.string()),
});

/** What a rescue says of itself, in its tree as `manifest.json`. */
export type Manifest = z.output<typeof manifestSchema>;

/** Names at the top of a rescue's tree. */
export const parts = {
  manifest: 'manifest.json',
  /** The lane's files, byte for byte. */
  worktree: 'worktree',
  /** What git keeps of the worktree: HEAD, the index, reflog, an operation in progress, submodules. */
  admin: 'admin',
  /** Permissions that are not the usual ones: octal, space, path and a zero byte each. */
  modes: 'modes',
  branchLog: 'branch-log',
  /** The index as a tree, so that what it names stays. */
  index: 'index',
  /** Other objects that the lane's files name, by id. */
  objects: 'objects',
  /** Content of annotated tags, by id. */
  tags: 'tags',
} as const;

/** @throws AgentKitError `invalid_input` when the commit is no rescue, or one of a newer version */
export async function readManifest(root: string, commit: string): Promise<Manifest> {
  const bytes = await readWhole(root, `${commit}:${parts.manifest}`).catch((error: unknown) => {
    throw notOne(commit, messageOf(error));
  });
  const read = manifestIn(bytes);
  if (typeof read === 'string') throw notOne(commit, read);
  return read;
}

/** A manifest, or why it is none. */
export function manifestIn(bytes: Buffer): Manifest | string {
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString('utf8'));
  } catch (error) {
    return messageOf(error);
  }
  const checked = manifestSchema.safeParse(value);
  if (checked.success) return checked.data;
  const [issue] = checked.error.issues;
  return `${issue?.path.join('.')}: ${issue?.message}`;
}

function notOne(commit: string, why: string): AgentKitError {
  return new AgentKitError(
    'invalid_input',
    `The commit ${commit} is not a rescue that this version of AgentKit reads: ${why}`,
  );
}

/** Where an archive of ignored files lies, beside the runs. @param name as the manifest says it */
export function archiveFile(commonDir: string, name: string): string {
  if (!/^[^/\0]+\.tar$/.test(name)) {
    throw new AgentKitError(
      'invalid_input',
      `The rescue names an archive "${name}", which is not a file's name`,
    );
  }
  return join(commonDir, 'agentkit', 'rescued', name);
}

/** What a rescue's manifest says of its archive, with the place of the file. */
export function archiveOf(
  commonDir: string,
  { archive }: Manifest,
): { file: string; bytes: number; files: number } | null {
  if (archive === null) return null;
  return { file: archiveFile(commonDir, archive.file), bytes: archive.bytes, files: archive.files };
}

/** One line of `git status --porcelain -z --no-renames`. */
export interface StatusEntry {
  /** State of the index against HEAD: ` `, `M`, `A`, `D`, `T`, `U`, `?`. */
  index: string;
  /** State of the worktree against the index. */
  worktree: string;
  /** With `/`; a nested repository ends in `/`. */
  path: string;
  /** The path's bytes, for giving it back to git. */
  raw: Buffer;
}

/** Parses the fields of `git status --porcelain -z --no-renames`. */
export function parseStatus(fields: readonly Buffer[]): StatusEntry[] {
  return fields.map((field) => {
    const raw = field.subarray(3);
    const [index = ' ', worktree = ' '] = field.subarray(0, 2).toString('latin1');
    return { index, worktree, path: raw.toString('utf8'), raw };
  });
}

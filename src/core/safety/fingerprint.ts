import * as z from 'zod';

/** The state of a file of the main checkout that its index says not to compare. */
export const hiddenState = 'hidden';
/** The state of one that is copied into lanes. */
export const copiedState = 'copied';

/**
 * What the checkouts of a repository share, and the main checkout, at one moment. It is kept beside an attempt, so that
 * what changed while the attempt ran can be told also after a crash. Values of settings stand in it as hashes only.
 */
export const fingerprintSchema = z.object({
  version: z.literal(1),
  /** Refs by full name: an object's id, or `ref: ` and a name. Remote-tracking refs are left out: a fetch moves them. */
  refs: z.record(z.string(), z.string()),
  config: z.object({
    /** Settings of the repository by name, those of included files among them: a hash of their values in order. */
    values: z.record(z.string(), z.string()),
    /** Git takes the main checkout for none. */
    bare: z.boolean(),
    /** Files of git's common directory that act like settings, by their place in it. */
    files: z.record(z.string(), z.string()),
  }),
  /** Folders that git runs hooks from; of each its files, by their place in it. */
  hooks: z.record(z.string(), z.record(z.string(), z.string())),
  /** Null where there is no main checkout. */
  main: z
    .object({
      /** Full name of the branch that it is on; the commit when it is on none. */
      head: z.string(),
      /** Files that differ from HEAD, are not tracked, hidden or copied into lanes: their state, and what they hold. */
      files: z.record(z.string(), z.string()),
    })
    .nullable(),
});

export type Fingerprint = z.output<typeof fingerprintSchema>;

/** The paths of the main checkout that a fingerprint has for being copied into lanes. */
export function copiedIn({ main }: Fingerprint): string[] {
  return Object.entries(main?.files ?? {}).flatMap(([path, text]) =>
    text.startsWith(`${copiedState} `) ? [path] : [],
  );
}

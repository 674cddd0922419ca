/** A command line in its two parts. */
export interface CommandLine {
  /** Words that are options, commands and their arguments. */
  before: readonly string[];
  /** Words behind the first `--`, which are nobody's options; undefined without one. */
  behind: readonly string[] | undefined;
}

export function splitCommandLine(argv: readonly string[]): CommandLine {
  const at = argv.indexOf('--');
  return at < 0
    ? { before: argv, behind: undefined }
    : { before: argv.slice(0, at), behind: argv.slice(at + 1) };
}

/** Whether an answer as JSON is asked for; known before anything else is, so that every failure can be told so. */
export function asksForJson({ before }: CommandLine): boolean {
  const format = before.lastIndexOf('--output-format');
  return (
    before.includes('--json') ||
    before.includes('--output-format=json') ||
    (format >= 0 && before[format + 1] === 'json')
  );
}

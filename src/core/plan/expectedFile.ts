import { globProblem } from './globs.ts';

const prefix = 'file:';

/** The file that a job promises in `expects: file:<path>`; undefined when it promises none. */
export function expectedFile(expects: string): string | undefined {
  return expects.startsWith(prefix) ? expects.slice(prefix.length) : undefined;
}

/** What is wrong with the path of a promised file, which is literal: relative to the repository's top and inside. */
export function expectedFileProblem(file: string): string | undefined {
  if (file.endsWith('/')) return 'it names a folder; name a file in it';
  // In a literal path these are letters like others; the rest of the rules is the same.
  return globProblem(file.replace(/[*?![\]{}@+(]/g, 'x'));
}

import { answerPick } from './answerPick.ts';
import { pickOptions, type PickOptions } from './pickOptions.ts';
import { runSession } from './runSession.ts';
import { Session } from './session.ts';

/** A command line of `ak pick` as it was meant. */
export interface PickLine {
  kind: string;
  options: PickOptions;
  json: boolean;
}

/**
 * Runs a plain `ak pick`, for which scripts wait at every piece of work, without the parser of command lines: that
 * takes a tenth of the start of Node. Gives the exit code; undefined for command lines that are left to the parser.
 */
export async function quickPick(words: readonly string[], dist: string): Promise<number | undefined> {
  const line = readPickLine(words);
  if (line === undefined) return undefined;
  const session = new Session(dist);
  session.json = line.json;
  return runSession(session, () => answerPick(session, line.kind, line.options));
}

/**
 * Reads the words behind `ak pick` by the same table as the parser. Undefined for everything that is not plain: help,
 * what is wrong or unknown, lists, and other ways to write an option.
 */
export function readPickLine(words: readonly string[]): PickLine | undefined {
  const kinds: string[] = [];
  const values: Partial<Record<keyof PickOptions, string | number>> = {};
  for (const { key, initial } of pickOptions) if (initial !== undefined) values[key] = initial;
  let json = false;
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? '';
    if (word === '--json') json = true;
    else if (!word.startsWith('-')) kinds.push(word);
    else {
      const option = pickOptions.find(({ flags }) => flags.startsWith(`${word} `));
      at += 1;
      const value = readValue(words[at], option?.read);
      if (option === undefined || option.gather !== undefined || value === undefined) return undefined;
      values[option.key] = value;
    }
  }
  const [kind, ...others] = kinds;
  if (kind === undefined || kind === '' || others.length > 0) return undefined;
  return { kind, options: values as unknown as PickOptions, json };
}

function readValue(
  word: string | undefined,
  read: ((text: string) => number) | undefined,
): string | number | undefined {
  if (word === undefined || word.startsWith('-')) return undefined;
  try {
    return read ? read(word) : word;
  } catch {
    // The parser says what is wrong.
    return undefined;
  }
}

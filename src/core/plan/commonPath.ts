import { buildAutomaton, contains, type CharSet, type GlobAutomaton } from './globAutomaton.ts';
import { parseGlob } from './parseGlob.ts';
import { dot, pathWords, stepPathWord, type PathWord } from './pathWord.ts';
import { slash } from './tokenizeGlob.ts';

/**
 * A path that both globs match, or undefined when there is none: the decision is exact. Invalid globs match
 * nothing.
 */
export function commonPath(globA: string, globB: string): string | undefined {
  return commonPathOf(compileGlob(globA), compileGlob(globB));
}

/** {@link commonPath} of globs that are compared with many others. */
export function commonPathOf(a: CompiledGlob, b: CompiledGlob): string | undefined {
  const shortest = shortestCommon(a.exact, b.exact);
  if (shortest === undefined) return undefined;
  return shortestCommon(a.readable, b.readable) ?? shortest;
}

export interface CompiledGlob {
  exact: GlobAutomaton;
  /** Its stars hold at least one character, for an example like src/x.ts instead of src/.ts. */
  readable: GlobAutomaton;
}

export function compileGlob(glob: string): CompiledGlob {
  const parsed = parseGlob(glob);
  const paths = 'problem' in parsed ? [] : parsed.paths;
  return { exact: buildAutomaton(paths, 0), readable: buildAutomaton(paths, 1) };
}

/** Where both automata can be after the same text. */
interface Stand {
  a: number;
  b: number;
  word: PathWord;
  text: string;
}

/** Breadth first through the product of both automata and the form of paths. */
function shortestCommon(a: GlobAutomaton, b: GlobAutomaton): string | undefined {
  const seen = new Set<number>();
  const stands: Stand[] = [{ a: 0, b: 0, word: 'start', text: '' }];
  // Grows while it is walked.
  for (const stand of stands) {
    if (stand.word === 'name' && a.accepting.has(stand.a) && b.accepting.has(stand.b)) return stand.text;
    for (const fromA of a.transitions[stand.a] ?? []) {
      for (const fromB of b.transitions[stand.b] ?? []) {
        for (const code of commonCodes(fromA.on, fromB.on)) {
          const word = stepPathWord(stand.word, code);
          if (word === undefined) continue;
          const key =
            (fromA.to * b.transitions.length + fromB.to) * pathWords.length + pathWords.indexOf(word);
          if (seen.has(key)) continue;
          seen.add(key);
          stands.push({ a: fromA.to, b: fromB.to, word, text: stand.text + String.fromCodePoint(code) });
        }
      }
    }
  }
  return undefined;
}

const readable = Array.from('xabcdefghijklmnopqrstuvwyz0123456789XABCDEFGHIJKLMNOPQRSTUVWYZ_-', (char) =>
  char.charCodeAt(0),
);
const lastCode = 0x10ffff;

/** What both sets hold: the slash, the dot, and one for all others, which lead to the same place. */
function commonCodes(a: CharSet, b: CharSet): number[] {
  const single = singleOf(a) ?? singleOf(b);
  if (single !== undefined) return contains(a, single) && contains(b, single) ? [single] : [];
  const inBoth = (code: number): boolean => contains(a, code) && contains(b, code);
  const codes = [slash, dot].filter(inBoth);
  const isOther = (code: number): boolean =>
    code !== dot && code !== slash && code <= lastCode && inBoth(code);
  // Where stretches of what is in both can begin; 1 and the one behind the slash for sets of all others.
  const starts = [a, b].flatMap(({ ranges }) => ranges.flatMap(({ low, high }) => [low, high + 1]));
  const other = readable.find(isOther) ?? [1, slash + 1, ...starts].find(isOther);
  return other === undefined ? codes : [other, ...codes];
}

/** The only character of a set; most are so, which makes this the short way. */
function singleOf({ negated, ranges }: CharSet): number | undefined {
  const [first] = ranges;
  return !negated && ranges.length === 1 && first?.low === first?.high ? first?.low : undefined;
}

import { buildAutomaton, contains, type GlobAutomaton } from './globAutomaton.ts';
import { parseGlob } from './parseGlob.ts';
import { stepPathWord, type PathWord } from './pathWord.ts';
import { slash } from './tokenizeGlob.ts';

/**
 * A path that both globs match, or undefined when there is none: the decision is exact. It searches the
 * product of both automata over one character of each kind that they tell apart. Invalid globs match nothing.
 */
export function commonPath(globA: string, globB: string): string | undefined {
  const a = parseGlob(globA);
  const b = parseGlob(globB);
  if ('problem' in a || 'problem' in b) return undefined;
  // Stars that hold something make the example readable (src/x.ts); only the second search decides.
  return (
    shortestCommon(buildAutomaton(a.paths, 1), buildAutomaton(b.paths, 1)) ??
    shortestCommon(buildAutomaton(a.paths, 0), buildAutomaton(b.paths, 0))
  );
}

interface Stand {
  a: number;
  b: number;
  word: PathWord;
  text: string;
}

function shortestCommon(a: GlobAutomaton, b: GlobAutomaton): string | undefined {
  const alphabet = alphabetOf([a, b]);
  const seen = new Set<string>();
  const queue: Stand[] = [{ a: 0, b: 0, word: 'start', text: '' }];
  for (let stand = queue.shift(); stand; stand = queue.shift()) {
    if (stand.word === 'name' && a.accepting.has(stand.a) && b.accepting.has(stand.b)) return stand.text;
    for (const code of alphabet) {
      const word = stepPathWord(stand.word, code);
      if (word === undefined) continue;
      for (const toA of reach(a, stand.a, code)) {
        for (const toB of reach(b, stand.b, code)) {
          const key = `${toA} ${toB} ${word}`;
          if (seen.has(key)) continue;
          seen.add(key);
          queue.push({ a: toA, b: toB, word, text: stand.text + String.fromCodePoint(code) });
        }
      }
    }
  }
  return undefined;
}

function reach(automaton: GlobAutomaton, state: number, code: number): number[] {
  return (automaton.transitions[state] ?? []).filter(({ on }) => contains(on, code)).map(({ to }) => to);
}

const readable = Array.from('xabcdefghijklmnopqrstuvwyz0123456789XABCDEFGHIJKLMNOPQRSTUVWYZ_-');
const lastCode = 0x10ffff;
const dot = 0x2e;

/** One character for each stretch of code points that no transition tells apart; readable ones first. */
function alphabetOf(automata: GlobAutomaton[]): number[] {
  const ranges = automata.flatMap(({ transitions }) => transitions.flat().flatMap(({ on }) => on.ranges));
  const starts = new Set([1, dot, dot + 1, slash, slash + 1]);
  for (const { low, high } of ranges) {
    starts.add(low);
    starts.add(high + 1);
  }
  const sorted = [...starts].filter((code) => code <= lastCode).toSorted((x, y) => x - y);
  const codes = sorted.map((low, index) => representative(low, (sorted[index + 1] ?? lastCode + 1) - 1));
  return codes.toSorted((x, y) => rank(x) - rank(y));
}

function representative(low: number, high: number): number {
  const found = readable.find((char) => char.charCodeAt(0) >= low && char.charCodeAt(0) <= high);
  return found === undefined ? low : found.charCodeAt(0);
}

function rank(code: number): number {
  const index = readable.indexOf(String.fromCodePoint(code));
  return index < 0 ? readable.length + code : index;
}

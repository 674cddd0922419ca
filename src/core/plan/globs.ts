import { buildAutomaton, contains, type GlobAutomaton } from './globAutomaton.ts';
import { parseGlob } from './parseGlob.ts';
import { stepPathWord, type PathWord } from './pathWord.ts';

/** What is wrong with a glob of a plan's `paths`; undefined when nothing is. */
export function globProblem(glob: string): string | undefined {
  const parsed = parseGlob(glob);
  return 'problem' in parsed ? parsed.problem : undefined;
}

/**
 * Tells whether a path, relative to the repository's top and with `/`, belongs to one of the globs. Upper and lower
 * case differ; `*`, `?` and `**` match names that start with a dot too. Invalid globs match nothing.
 */
export function compileGlobs(globs: string[]): (path: string) => boolean {
  const automata = automataOf(globs);
  return (path) => automata.some((automaton) => accepts(automaton, path));
}

/** {@link compileGlobs} for one path. */
export function pathMatches(globs: string[], path: string): boolean {
  return compileGlobs(globs)(path);
}

/** Tells whether a path below a folder could belong to one of the globs; without that nobody need look there. */
export function mayMatchBelow(globs: string[]): (folder: string) => boolean {
  const automata = automataOf(globs);
  return (folder) => automata.some((automaton) => read(automaton, `${folder}/`).states.size > 0);
}

function automataOf(globs: string[]): GlobAutomaton[] {
  return globs.flatMap((glob) => {
    const parsed = parseGlob(glob);
    return 'paths' in parsed ? [buildAutomaton(parsed.paths, 0)] : [];
  });
}

function accepts(automaton: GlobAutomaton, path: string): boolean {
  const { states, word } = read(automaton, path);
  return word === 'name' && [...states].some((state) => automaton.accepting.has(state));
}

/** Where a text leads; to no state where no path goes on so. */
function read(automaton: GlobAutomaton, text: string): { states: Set<number>; word: PathWord | undefined } {
  let states = new Set([0]);
  let word: PathWord | undefined = 'start';
  for (const char of text) {
    const code = char.codePointAt(0) ?? 0;
    word = stepPathWord(word, code);
    if (word === undefined) return { states: new Set(), word };
    const next = new Set<number>();
    for (const state of states) {
      for (const { on, to } of automaton.transitions[state] ?? []) if (contains(on, code)) next.add(to);
    }
    states = next;
  }
  return { states, word };
}

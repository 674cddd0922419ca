import type { GlobPath } from './parseGlob.ts';
import { slash, type CharRange, type GlobToken } from './tokenizeGlob.ts';

/** Characters by code point: those in the ranges or, negated, all others. `/` is never among the others. */
export interface CharSet {
  negated: boolean;
  ranges: CharRange[];
}

export interface Transition {
  on: CharSet;
  to: number;
}

/**
 * A nondeterministic automaton over code points without empty moves; state 0 is the start. That segments are
 * not empty is left to `stepPathWord`, which runs beside it.
 */
export interface GlobAutomaton {
  transitions: Transition[][];
  accepting: ReadonlySet<number>;
}

const onSlash: CharSet = { negated: false, ranges: [{ low: slash, high: slash }] };
const onOther: CharSet = { negated: true, ranges: [{ low: slash, high: slash }] };

export function contains(set: CharSet, code: number): boolean {
  const inside = set.ranges.some(({ low, high }) => low <= code && code <= high);
  return set.negated ? !inside && code !== slash : inside;
}

/** Builds the automaton of all ways through a glob. `leastStar`: how many characters a `*` stands for at least. */
export function buildAutomaton(paths: GlobPath[], leastStar: 0 | 1): GlobAutomaton {
  const builder = new Builder(leastStar);
  for (const path of paths) builder.addPath(path);
  return builder;
}

/** States are added one by one; `from` sets stand for several states at once instead of empty moves. */
class Builder implements GlobAutomaton {
  readonly transitions: Transition[][] = [[]];
  readonly accepting = new Set<number>();
  readonly #leastStar: 0 | 1;

  constructor(leastStar: 0 | 1) {
    this.#leastStar = leastStar;
  }

  addPath({ segments, folder }: GlobPath): void {
    let from = [0];
    for (const [index, segment] of segments.entries()) {
      const last = index === segments.length - 1;
      if (segment[0]?.type === 'globstar') {
        from = last ? this.#anyDepth(from) : this.#anyFolders(from);
      } else {
        from = this.#segment(from, segment);
        if (!last) from = [this.#move(from, onSlash)];
      }
    }
    if (folder) from = [...from, ...this.#anyDepth([this.#move(from, onSlash)])];
    for (const state of from) this.accepting.add(state);
  }

  #segment(from: number[], segment: GlobToken[]): number[] {
    let states = from;
    for (const token of segment) {
      if (token.type === 'star') {
        const loop = this.#move(states, onOther);
        this.#add(loop, onOther, loop);
        states = this.#leastStar === 1 ? [loop] : [...states, loop];
      } else {
        states = [this.#move(states, charSetOf(token))];
      }
    }
    return states;
  }

  /** One segment or more. */
  #anyDepth(from: number[]): number[] {
    const name = this.#move(from, onOther);
    this.#add(name, onOther, name);
    const next = this.#move([name], onSlash);
    this.#add(next, onOther, name);
    return [name];
  }

  /** Any number of folders, each with its slash. */
  #anyFolders(from: number[]): number[] {
    const name = this.#move(from, onOther);
    this.#add(name, onOther, name);
    const next = this.#move([name], onSlash);
    this.#add(next, onOther, name);
    return [...from, next];
  }

  /** A new state, reached from all of `from`. */
  #move(from: number[], on: CharSet): number {
    const to = this.transitions.push([]) - 1;
    for (const state of from) this.#add(state, on, to);
    return to;
  }

  #add(from: number, on: CharSet, to: number): void {
    this.transitions[from]?.push({ on, to });
  }
}

function charSetOf(token: GlobToken): CharSet {
  if (token.type === 'literal') {
    const code = token.text.codePointAt(0) ?? 0;
    return { negated: false, ranges: [{ low: code, high: code }] };
  }
  return token.type === 'class' ? token : onOther;
}

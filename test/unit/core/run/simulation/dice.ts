/** Random choices that a seed repeats exactly. */
export class Dice {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** From 0 up to, not including, 1 (mulberry32). */
  roll(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  chance(probability: number): boolean {
    return this.roll() < probability;
  }

  /** From 0 up to, not including, `count`. */
  below(count: number): number {
    return Math.floor(this.roll() * count);
  }

  pick<T>(list: readonly T[]): T {
    const chosen = list[this.below(list.length)];
    if (chosen === undefined) throw new Error('nothing to pick from');
    return chosen;
  }
}

/** A roll that depends on nothing but the seed and what is asked: the same in every history of a run. */
export function fateOf(seed: number, question: string): Dice {
  let hash = seed;
  for (const letter of question) hash = Math.imul(hash ^ letter.charCodeAt(0), 0x01000193) >>> 0;
  return new Dice(hash);
}

/** A double click runs a row's command twice; the second call within this many milliseconds is ignored. */
const doubleClickMs = 1000;

/** Tells the second call of a double click from the first. */
export class DoubleClickGuard {
  readonly #acceptedAt = new Map<string, number>();

  /** Whether a call for this thing at this time, in milliseconds, is one of its own. */
  accepts(thing: string, now: number): boolean {
    const before = this.#acceptedAt.get(thing);
    if (before !== undefined && now - before < doubleClickMs) return false;
    this.#acceptedAt.set(thing, now);
    return true;
  }
}

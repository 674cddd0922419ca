/** Collects what a polite live region says, so that a burst of changes is one sentence. */
export class Announcer {
  #pending: string[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #delayMs: number;
  readonly #speak: (text: string) => void;

  constructor(speak: (text: string) => void, delayMs = 700) {
    this.#speak = speak;
    this.#delayMs = delayMs;
  }

  say(lines: readonly string[]): void {
    if (lines.length === 0) return;
    this.#pending.push(...lines);
    if (this.#timer === undefined) this.#timer = setTimeout(() => this.#flush(), this.#delayMs);
  }

  #flush(): void {
    this.#timer = undefined;
    this.#speak(this.#pending.map((line) => line.replace(/\.?$/, '.')).join(' '));
    this.#pending = [];
  }
}

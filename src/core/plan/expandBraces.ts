import type { GlobToken } from './tokenizeGlob.ts';

const maxAlternatives = 200;

/** Every way through the braces of a glob; braces may nest and hold slashes. */
export function expandBraces(tokens: GlobToken[]): { alternatives: GlobToken[][] } | { problem: string } {
  const reader = new BraceReader(tokens);
  const alternatives = reader.readSequence();
  return reader.problem === undefined ? { alternatives } : { problem: reader.problem };
}

/** Reads balanced braces by descent; stops adding alternatives at the first problem. */
class BraceReader {
  problem: string | undefined;
  readonly #tokens: GlobToken[];
  #next = 0;

  constructor(tokens: GlobToken[]) {
    this.#tokens = tokens;
  }

  /** Up to the comma or brace that ends it, or the end of the glob. */
  readSequence(): GlobToken[][] {
    let alternatives: GlobToken[][] = [[]];
    for (
      let token = this.#peek();
      token && token.type !== 'comma' && token.type !== 'close';
      token = this.#peek()
    ) {
      this.#next++;
      const tails = token.type === 'open' ? this.#readChoices() : [[token]];
      if (alternatives.length * tails.length > maxAlternatives) {
        this.problem = `its braces make more than ${maxAlternatives} paths`;
        continue;
      }
      alternatives = alternatives.flatMap((head) => tails.map((tail) => [...head, ...tail]));
    }
    return alternatives;
  }

  #readChoices(): GlobToken[][] {
    const choices = [this.readSequence()];
    while (this.#peek()?.type === 'comma') {
      this.#next++;
      choices.push(this.readSequence());
    }
    this.#next++;
    if (choices.length < 2) this.problem ??= 'braces need a choice, like {a,b}';
    return choices.flat();
  }

  #peek(): GlobToken | undefined {
    return this.#tokens[this.#next];
  }
}

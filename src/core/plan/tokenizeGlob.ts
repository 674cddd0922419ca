/** Code point of the character between folders. */
export const slash = 0x2f;

/** Code points from `low` to `high`, both included. */
export interface CharRange {
  low: number;
  high: number;
}

export type GlobToken =
  | { type: 'literal'; text: string }
  | { type: 'slash' }
  /** Any one character. */
  | { type: 'any' }
  /** One character in (or, negated, not in) the ranges. */
  | { type: 'class'; negated: boolean; ranges: CharRange[] }
  /** Any characters of one segment. */
  | { type: 'star' }
  /** Any segments. */
  | { type: 'globstar' }
  | { type: 'open' }
  | { type: 'comma' }
  | { type: 'close' };

const plainTokens: Record<string, GlobToken> = {
  '/': { type: 'slash' },
  '?': { type: 'any' },
  '{': { type: 'open' },
  '}': { type: 'close' },
};

/** Splits a glob into tokens, one literal a code point. A comma outside braces is a literal. */
export function tokenizeGlob(glob: string): { tokens: GlobToken[] } | { problem: string } {
  const chars = Array.from(glob);
  const tokens: GlobToken[] = [];
  let depth = 0;
  for (let index = 0; index < chars.length; index++) {
    const char = chars[index] ?? '';
    const plain = plainTokens[char];
    if (char === '{') depth++;
    if (char === '}' && --depth < 0)
      return { problem: 'it has a "}" without a "{"; write [}] for a literal one' };
    if (plain) {
      tokens.push(plain);
    } else if (char === ',' && depth > 0) {
      tokens.push({ type: 'comma' });
    } else if (char === '*') {
      let stars = 1;
      while (chars[index + 1] === '*') {
        stars++;
        index++;
      }
      if (stars > 2) return { problem: 'it has more than two stars in a row' };
      tokens.push({ type: stars === 2 ? 'globstar' : 'star' });
    } else if (char === '[') {
      const end = classEnd(chars, index);
      if (end === undefined) return { problem: 'it has a "[" without a "]"; write [[] for a literal one' };
      const found = readClass(chars.slice(index + 1, end));
      if ('problem' in found) return found;
      tokens.push(found);
      index = end;
    } else {
      tokens.push({ type: 'literal', text: char });
    }
  }
  if (depth > 0) return { problem: 'it has a "{" without a "}"; write [{] for a literal one' };
  return { tokens };
}

/** Index of the `]` that ends the class; one right after `[`, `[!` or `[^` belongs to the class. */
function classEnd(chars: string[], start: number): number | undefined {
  const first = chars[start + 1] === '!' || chars[start + 1] === '^' ? start + 2 : start + 1;
  const end = chars.indexOf(']', first + 1);
  return end < 0 ? undefined : end;
}

function readClass(body: string[]): Extract<GlobToken, { type: 'class' }> | { problem: string } {
  const negated = body[0] === '!' || body[0] === '^';
  const chars = negated ? body.slice(1) : body;
  const ranges: CharRange[] = [];
  if (chars.includes('/')) return { problem: 'it has a "/" in brackets' };
  if (/\[[:.=]/.test(chars.join(''))) return { problem: 'named classes like [:alpha:] are not possible' };
  for (let index = 0; index < chars.length; index++) {
    const low = codeOf(chars[index]);
    const isRange = chars[index + 1] === '-' && index + 2 < chars.length;
    const high = isRange ? codeOf(chars[index + 2]) : low;
    if (high < low) return { problem: `the range ${chars.slice(index, index + 3).join('')} runs backwards` };
    ranges.push(...withoutSlash({ low, high }));
    if (isRange) index += 2;
  }
  return { type: 'class', negated, ranges };
}

/** A range like `[+-9]` runs over the slash, but no class matches one. */
function withoutSlash({ low, high }: CharRange): CharRange[] {
  if (slash < low || slash > high) return [{ low, high }];
  return [
    { low, high: slash - 1 },
    { low: slash + 1, high },
  ];
}

function codeOf(char: string | undefined): number {
  return char?.codePointAt(0) ?? 0;
}

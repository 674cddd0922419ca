import { redact } from '../safety/redact.ts';

/** Longest text of one quoted line, in characters. */
const longest = 300;

/**
 * Text that somebody else wrote, for a prompt: each line behind a mark, so that none is read as ours or as a block of a
 * script; control characters are shown as what they are, and what has the shape of a secret is not. Of more than `most` lines the last ones stay.
 */
export function quoteData(text: string, most: number): string[] {
  const lines = redact(text)
    .split(/\r\n|[\n\r\u2028\u2029]/)
    .filter((line) => line.trim() !== '');
  const left = lines.length - most;
  return [...(left > 0 ? [`> (${left} more before)`] : []), ...lines.slice(-most).map(quoteLine)];
}

/** The same for a list of names, of which none is more than one line; of more than `most` the first ones stay. */
export function quoteNames(names: readonly string[], most: number): string[] {
  const left = names.length - most;
  return [
    ...names.slice(0, most).map((name) => quoteLine(redact(name))),
    ...(left > 0 ? [`> (and ${left} more)`] : []),
  ];
}

function quoteLine(text: string): string {
  const shown = text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, (character) =>
    character === '\t' ? character : `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  );
  const characters = Array.from(shown);
  return `> ${characters.length > longest ? `${characters.slice(0, longest).join('')}…` : shown}`;
}

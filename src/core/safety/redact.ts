import { knownShapes, redacted } from './secretShape.ts';

/** Shorter given secrets are passed over: they would black out ordinary words. */
const shortestSecret = 6;

/**
 * The text with everything that looks like a secret, and every given one, as `[redacted]`. Doing it again
 * changes nothing. A secret that is cut in two by the end of the text is not seen.
 */
export function redact(text: string, secrets: readonly string[] = []): string {
  const given = secrets
    .filter(({ length }) => length >= shortestSecret)
    .toSorted((a, b) => b.length - a.length);
  let before = text;
  // What a replacement uncovers at its border may have a shape of its own.
  for (;;) {
    const after = before
      .split(redacted)
      .map((part) => redactPart(part, given))
      .join(redacted);
    if (after === before) return after;
    before = after;
  }
}

/** Names of the shapes of secrets in the text, each once: what has any is not committed. */
export function secretShapes(text: string): string[] {
  return knownShapes.filter(({ pattern }) => text.search(pattern) >= 0).map(({ name }) => name);
}

function redactPart(part: string, given: readonly string[]): string {
  let text = part;
  for (const secret of given) text = text.replaceAll(secret, () => redacted);
  for (const { pattern, replacement } of knownShapes) text = text.replace(pattern, replacement);
  return text;
}

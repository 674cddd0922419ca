import { redact } from '../../core/safety/redact.ts';

/** Longest command that is told, in characters; where it is cut, this many of its end stay. */
const [longest, ending] = [200, 80];

/**
 * A command as a person reads it: on one line, without line ends and other control characters, which arguments may
 * hold, and without what has the shape of a secret. A long one is cut in its middle, since a long path stands at its
 * beginning and what tells it apart at its end.
 */
export function shortCommand(words: readonly string[]): string {
  const line = redact(words.join(' '))
    .replace(/[\u0000-\u0020\u007f]+/g, ' ')
    .trim();
  const characters = Array.from(line);
  if (characters.length <= longest) return line;
  return [...characters.slice(0, longest - ending - 1), '…', ...characters.slice(-ending)].join('');
}

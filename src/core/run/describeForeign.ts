import type { ForeignChange } from './rescue.ts';

/**
 * Why a lane does not pass while whose agent something outside of it changed; undefined where nothing did. The whole
 * list is told, and how a person takes it.
 */
export function describeForeign(lane: string, changes: readonly ForeignChange[]): string | undefined {
  if (changes.length === 0) return undefined;
  const messages = changes.map(({ message }) => message.replace(/[.\s]*$/, ''));
  const list = [...new Set(messages)].join('; ');
  return `While its agent ran, this changed outside of it: ${list}. Look at it and put right what is wrong; having its gate run then accepts the rest: ak lane gate ${lane}`;
}

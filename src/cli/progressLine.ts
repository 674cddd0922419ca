import type { TranscriptLine } from '../engine/createAgentRuns.ts';
import { printable } from './printable.ts';

const colours: Record<TranscriptLine['kind'], string> = {
  text: '',
  output: '',
  tool: '36',
  note: '2',
  error: '31',
};

/** A line of an agent's progress for people, in colours where it goes to a terminal. */
export function progressLine(
  { kind, text }: Pick<TranscriptLine, 'kind' | 'text'>,
  inColour: boolean,
): string {
  const mark = kind === 'tool' ? '› ' : '';
  return paint(colours[kind], mark + printable(text), inColour);
}

export function paint(colour: string, text: string, inColour: boolean): string {
  return colour === '' || !inColour ? text : `\u001b[${colour}m${text}\u001b[0m`;
}

import type { LaneRecord } from './runState.ts';

/** What is to be told of a lane besides its state, each once. */
export function addWarnings({ warnings }: Pick<LaneRecord, 'warnings'>, ...more: string[]): string[] {
  return [...new Set([...warnings, ...more])];
}

/** What still runs of a step that has ended is told until a person has looked. */
export function withStrays(lane: LaneRecord, of: string, strays: readonly number[] = []): LaneRecord {
  if (strays.length === 0) return lane;
  const which = strays.length === 1 ? `Process ${strays.join()}` : `Processes ${strays.join(', ')}`;
  const warning = `${which} of ${of} left its process tree and may still run; look, and end what is not wanted.`;
  return { ...lane, warnings: addWarnings(lane, warning) };
}

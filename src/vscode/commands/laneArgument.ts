/** A lane named by a tree row, a card of the board, another extension, or just by its id. */
export interface LaneRef {
  lane: string;
  run?: string;
}

/** Undefined when the argument names no lane, as from the palette or an editor's title. */
export function laneArgument(argument: unknown): LaneRef | undefined {
  if (typeof argument === 'string') return { lane: argument };
  const lane = field(argument, 'lane');
  const run = field(argument, 'run');
  if (lane === undefined) return undefined;
  return run === undefined ? { lane } : { lane, run };
}

/** The run that an argument names, itself or by one of its lanes. */
export function runArgument(argument: unknown): string | undefined {
  return typeof argument === 'string' ? argument : field(argument, 'run');
}

/** The account that a row of the Accounts tree names. */
export function accountArgument(argument: unknown): string | undefined {
  return typeof argument === 'string' ? argument : field(argument, 'account');
}

function field(value: unknown, name: string): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const found = (value as Record<string, unknown>)[name];
  return typeof found === 'string' ? found : undefined;
}

import { endLostStep } from '../process/endLostStep.ts';
import type { StepResult } from '../process/launch.ts';
import { readStep } from '../process/steps.ts';

/**
 * The result of a step that has ended. One that lost its supervisor has none: what it left running is ended
 * here, before anything else may run in its place; `strays` are processes that only a person can judge.
 */
export async function collectStep(folder: string): Promise<{ result?: StepResult; strays: number[] }> {
  const { state, result } = await readStep(folder);
  if (result !== undefined) return { result, strays: result.strays ?? [] };
  return { strays: state === 'lost' ? await endLostStep(folder) : [] };
}

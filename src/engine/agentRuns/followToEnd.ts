import { AgentKitError } from '../../core/agentKitError.ts';
import { endLostStep } from '../process/endLostStep.ts';
import { followTranscript } from '../process/followTranscript.ts';
import type { StepResult } from '../process/launch.ts';
import { readStep } from '../process/steps.ts';
import type { AgentRunWatch } from './agentRun.ts';

/**
 * Gives the lines of a step that was started, and its result once everything of it has ended.
 * @throws AgentKitError `cancelled` when it is not waited for any longer, `conflict` when its supervisor was killed
 */
export async function followToEnd(folder: string, watch: AgentRunWatch): Promise<StepResult> {
  await followTranscript(folder, watch.onLine, watch.leave);
  const { state, result } = await readStep(folder);
  if (result) return result;
  if (state !== 'lost') throw new AgentKitError('cancelled', `What runs in ${folder} is not waited for`);
  const strays = await endLostStep(folder);
  const left = strays.length === 0 ? '' : `; processes of it that still run: ${strays.join(', ')}`;
  throw new AgentKitError(
    'conflict',
    `The supervisor of ${folder} was killed; what it had started was ended${left}`,
  );
}

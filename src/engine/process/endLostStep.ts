import { AgentKitError } from '../../core/agentKitError.ts';
import { stepFiles } from '../store/paths.ts';
import { isAlive } from './identity.ts';
import { platform } from './platform/platform.ts';
import { processesOfStep } from './processesOfStep.ts';
import { readProcesses } from './processRecord.ts';
import { ProcessTree } from './processTree.ts';
import { readStep } from './steps.ts';

/**
 * Ends what a lost supervisor left running, by what it had written down and the mark of the step. Returns the ids of processes that carry
 * the step's mark and still live: they left the tree unseen and are for a person to judge.
 * @throws AgentKitError `conflict` when the step is not lost
 */
export async function endLostStep(folder: string): Promise<number[]> {
  const { state } = await readStep(folder);
  if (state !== 'lost') {
    throw new AgentKitError(
      'conflict',
      `${folder} is ${state}; only what a lost supervisor left is ended so`,
    );
  }
  const record = await readProcesses(stepFiles(folder).processes);
  if (!record) {
    return [];
  }
  // What began after the last note is known by its mark.
  const groupIsOurs =
    record.noted.some((noted) => isAlive(noted) && platform.find(noted.pid)?.group === record.group) ||
    processesOfStep(folder).some(({ group }) => group === record.group);
  const tree = new ProcessTree(groupIsOurs ? record.group : null, record.mark, record.noted);
  await tree.end();
  return tree.strays();
}

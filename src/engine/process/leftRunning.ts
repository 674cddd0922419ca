import { stepFiles } from '../store/paths.ts';
import { isAlive } from './identity.ts';
import { readProcesses } from './processRecord.ts';

/** Whether anything still runs of a step whose supervisor is gone: an agent may outlive it. @throws as `readProcesses` */
export async function leftRunning(folder: string): Promise<boolean> {
  const record = await readProcesses(stepFiles(folder).processes);
  return record?.noted.some(isAlive) ?? false;
}

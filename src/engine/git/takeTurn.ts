import { join } from 'node:path';
import { withLock } from '../store/lock.ts';
import { oneAtATime } from '../store/oneAtATime.ts';

/** Longest wait in milliseconds for others who choose names or allocate; each needs well below a second. */
const turnMs = 60_000;

/**
 * Runs a task that chooses or takes names of lanes: one at a time for a repository, over all processes.
 * @throws AgentKitError `timeout`
 */
export function takeTurn<T>(commonDir: string, task: () => Promise<T>): Promise<T> {
  const file = join(commonDir, 'agentkit', 'lanes.lock');
  return oneAtATime(commonDir, () => withLock(file, task, { timeoutMs: turnMs }));
}

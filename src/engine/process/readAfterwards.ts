import { setTimeout as wait } from 'node:timers/promises';
import type { AgentKind, AgentSignal } from '../agents/agentKind.ts';
import type { Launch, StepResult } from './launch.ts';

/** Files are read, nothing more; a file system that hangs must not keep the result back. */
const longestMs = 10_000;

/** What the CLI's own files tell about a run that failed or was stopped for its time. Never rejects. */
export async function readAfterwards(
  kind: AgentKind,
  launch: Launch,
  end: Pick<StepResult, 'outcome' | 'session_id'>,
): Promise<AgentSignal[]> {
  if (!kind.readAfterwards || !launch.profile || (end.outcome !== 'failed' && end.outcome !== 'timeout')) {
    return [];
  }
  const signals = kind.readAfterwards(launch.profile, end.session_id).catch((): AgentSignal[] => []);
  return Promise.race([signals, wait(longestMs, [], { ref: false })]);
}

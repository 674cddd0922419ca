import { basename } from 'node:path';
import { attemptMark, laneRunMark, stepMark } from './attemptMark.ts';
import { readLaneStep } from './laneSteps.ts';
import { platform } from './platform/platform.ts';

/** An agent of `ak run` that works in a lane, as a process of it tells. */
export interface SingleAgent {
  /** Of the run that the lane is of. */
  runFolder: string;
  run: string;
  lane: string;
  /** Folder of the agent's own step. */
  step: string;
}

/** Null for any other process, also for one that only inherited a part of the marks. */
export function singleAgentOf(pid: number): SingleAgent | null {
  const [runFolder, run, lane] = [laneRunMark, 'AGENTKIT_RUN', 'AGENTKIT_LANE'].map((name) =>
    platform.variable(pid, name),
  );
  const step = platform.variable(pid, stepMark);
  if (!runFolder || !run || !lane || !step) return null;
  const isWhole =
    basename(runFolder) === run && platform.variable(pid, attemptMark) === `run/${basename(step)}`;
  return isWhole ? { runFolder, run, lane, step } : null;
}

/** Whether the agent has not ended yet. Where its files cannot be read it counts as being at work. */
export async function isAtWork({ step }: SingleAgent): Promise<boolean> {
  const { supervised, ended } = await readLaneStep(step);
  return supervised && !ended;
}

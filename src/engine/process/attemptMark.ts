/** Environment variable by which every process below an attempt is known; its value names the attempt. */
export const attemptMark = 'AGENTKIT_ATTEMPT';

/**
 * Environment variable with the folder of the supervised step that a process belongs to: the runs of two repositories
 * may have the same name, their folders do not.
 */
export const stepMark = 'AGENTKIT_STEP';

/**
 * Environment variable with the folder of the run in whose lane an agent of `ak run` works: the step of that agent lies
 * with the single agents of the machine, which belong to no repository.
 */
export const laneRunMark = 'AGENTKIT_RUN_FOLDER';

/** The attempt of a lane that a mark names. */
export interface MarkedAttempt {
  run: string;
  lane: string;
  attempt: number;
}

/** Reads the mark of a lane's process, `run/lane/attempt`; a lane's own id may hold `/`. Null for any other mark. */
export function parseMark(mark: string): MarkedAttempt | null {
  const [, run, lane, attempt] = /^([^/]+)\/(.+)\/(\d+)$/.exec(mark) ?? [];
  return run === undefined || lane === undefined ? null : { run, lane, attempt: Number(attempt) };
}

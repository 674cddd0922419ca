import { AgentKitError } from '../../core/agentKitError.ts';
import { agentMark } from '../../core/safety/agentEnvironment.ts';
import { parallelWriters } from '../../core/safety/consentName.ts';
import { hasConsent } from '../person/consents.ts';
import { attemptMark } from '../process/attemptMark.ts';
import { isInLane, readRecord, runningRecords, type RunRecord } from './runFolders.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Variables that tell one agent from another of its kind. */
const names = [attemptMark, 'CLAUDE_CODE_SESSION_ID', 'CODEX_THREAD_ID'];

/**
 * Which agent starts something from an environment; null for a person. What an agent of `ak run` starts was started by
 * whoever started that one, so that agents who start each other are no more than one.
 */
export async function callerOf(environment: Environment): Promise<string | null> {
  const name = names.find((each) => environment[each] !== undefined) ?? agentMark(environment);
  if (name === undefined) return null;
  const value = environment[name] ?? '';
  const run = name === attemptMark ? /^run\/(.+)$/.exec(value)?.[1] : undefined;
  const started = run === undefined ? null : await readRecord(environment, run);
  return started?.caller ?? `${name}=${value}`;
}

/**
 * One writer in a lane, and without a standing consent no more than one that an agent has started by itself.
 * @throws AgentKitError `conflict`, `refused`
 */
export async function requireMayStart(record: RunRecord, environment: Environment): Promise<void> {
  const { lane, caller, writes } = record;
  const running = await runningRecords(environment);
  const inLane = lane === null ? undefined : running.find((each) => isInLane(each, lane, record.lane_run));
  if (inLane) {
    throw new AgentKitError('conflict', `Lane ${lane} has an agent already, of ak run ${inLane.id}`);
  }
  if (caller === null || !writes) return;
  const other = running.find((each) => each.caller === caller && each.writes);
  if (other && !(await hasConsent(environment, parallelWriters))) {
    throw new AgentKitError(
      'refused',
      `This shell belongs to a coding agent, for which one writer is at work already (ak run ${other.id}); for more at once the person gives the word, in a terminal of their own: ak consent add ${parallelWriters}`,
    );
  }
}

import { writeFile } from 'node:fs/promises';
import { formatAccount } from '../../core/accounts/account.ts';
import { AgentKitError, messageOf } from '../../core/agentKitError.ts';
import type { Posture } from '../../core/safety/posture.ts';
import { confirmHeld } from '../accounts/confirmHeld.ts';
import { readPersonSettings } from '../accounts/personSettings.ts';
import { recordRun } from '../accounts/recordRun.ts';
import type { AgentKind, Profile } from '../agents/agentKind.ts';
import { requestStop, startStep } from '../process/steps.ts';
import { withLock } from '../store/lock.ts';
import { stateFiles } from '../store/paths.ts';
import { userFolders } from '../store/userFolders.ts';
import { agentLaunch, promptFile } from './agentLaunch.ts';
import type { AgentRunAnswer, AgentRunContext, AgentRunRequest, AgentRunWatch } from './agentRun.ts';
import { followToEnd } from './followToEnd.ts';
import { callerOf, requireMayStart } from './mayStart.ts';
import { makeRunFolder } from './runFolders.ts';
import type { RunPlace } from './runPlace.ts';
import { toAnswer, type RunFacts } from './toAnswer.ts';
import { whenAborted } from './whenAborted.ts';

/** Longest wait for others who start agents at the same time, in milliseconds. */
const startMs = 30_000;

/** A run whose account is held. */
interface HeldRun {
  context: AgentRunContext;
  request: AgentRunRequest;
  watch: AgentRunWatch;
  facts: RunFacts;
  kind: AgentKind;
  profile: Profile;
  place: RunPlace;
  posture: Posture;
  folder: string;
  /** Who holds the account. */
  owner: string;
}

/** Starts the agent of a run under its account, once the CLI has said that it is this one, and waits for its end. */
export async function superviseRun(run: HeldRun): Promise<AgentRunAnswer> {
  const { context, request, watch, facts, kind, profile, place, folder } = run;
  const { environment, node, dist } = context;
  const account = formatAccount({ kind: kind.id, profile: profile.name });
  const start = kind.launch(profile, {
    posture: run.posture,
    ...(request.model !== undefined && { model: request.model }),
    ...(request.resume !== undefined && { resume: request.resume }),
    ...(request.trustCwd && { trustCwd: true }),
  });
  await confirmHeld({ kind, profile, environment, owner: run.owner });
  requireGoing(watch);
  const { denied: deny } = await readPersonSettings(environment);
  const launch = agentLaunch(context, { ...run, start, timeoutS: request.timeoutS, deny, needs: kind.needs });
  const record = {
    version: 1 as const,
    // The embedded demo agent is nobody's account.
    caller: kind.id === 'demo' ? null : await callerOf(environment),
    writes: run.posture !== 'read-only',
    lane: place.lane?.address ?? null,
    ...(place.lane && { lane_run: place.lane.folder }),
  };
  const { runsLock } = stateFiles(userFolders(environment).state);
  const begin = async () => {
    await requireMayStart(record, environment);
    // It stays for good, so it comes after everything that can still refuse the run.
    if (request.trustCwd) await trust(kind, profile, place.cwd, watch);
    await makeRunFolder(folder, record);
    facts.run_folder = folder;
    await writeFile(promptFile(folder), request.prompt, { mode: 0o600 });
    const stopping = stopWhenAsked(folder, watch);
    requireGoing(watch);
    await startStep({ folder, launch, node, dist, environment });
    return stopping;
  };
  const stopping = await withLock(runsLock, begin, { timeoutMs: startMs });
  watch.onNote(`${account} in ${place.cwd}; its record: ${folder}`);
  const result = await Promise.race([followToEnd(folder, watch), stopping.fails]).catch(
    async (error: unknown) => {
      // What nobody follows any more must not go on unseen.
      await requestStop(folder);
      throw error;
    },
  );
  // The answer is worth more than what the machine remembers of it.
  await recordRun(environment, account, { ...result, model: request.model }).catch((error: unknown) =>
    watch.onNote(`What ${account} told of its quota was not kept: ${messageOf(error)}`),
  );
  return toAnswer(facts, result);
}

/** The request to stop lies there before the supervisor does, so it cannot be missed. */
function stopWhenAsked(folder: string, { stop }: AgentRunWatch): { fails: Promise<never> } {
  const fails = new Promise<never>((_resolve, reject) => {
    void whenAborted(stop).then(() => requestStop(folder).catch(reject));
  });
  // It is looked at only once the step has been started.
  fails.catch(() => undefined);
  return { fails };
}

/** @throws AgentKitError `cancelled` once it was asked to stop */
export function requireGoing({ stop }: AgentRunWatch): void {
  if (stop.aborted) throw new AgentKitError('cancelled', 'Cancelled before the agent was started');
}

async function trust(kind: AgentKind, profile: Profile, folder: string, watch: AgentRunWatch): Promise<void> {
  if (kind.trustFolder === null)
    return watch.onNote(`${kind.label} does not ask whether a folder is trusted`);
  await kind.trustFolder(profile, folder);
  watch.onNote(
    `${folder} is trusted in the settings of ${formatAccount({ kind: kind.id, profile: profile.name })}`,
  );
}

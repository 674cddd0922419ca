import { writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { formatAccount } from '../../core/accounts/account.ts';
import { AgentKitError } from '../../core/agentKitError.ts';
import { choosePosture, type Posture } from '../../core/safety/posture.ts';
import { kindOnMachine } from '../accounts/kindOnMachine.ts';
import { confirmAccount } from '../accounts/confirmAccount.ts';
import { releaseLease } from '../accounts/leases.ts';
import { readPersonSettings } from '../accounts/personSettings.ts';
import type { AgentKind, Profile } from '../agents/agentKind.ts';
import { unknownKind } from '../agents/unknownKind.ts';
import { requestStop, startStep } from '../process/steps.ts';
import { withLock } from '../store/lock.ts';
import { stateFiles } from '../store/paths.ts';
import { userFolders } from '../store/userFolders.ts';
import { agentLaunch, promptFile } from './agentLaunch.ts';
import type { AgentRunAnswer, AgentRunContext, AgentRunRequest, AgentRunWatch } from './agentRun.ts';
import { chooseAccount } from './chooseAccount.ts';
import { followToEnd } from './followToEnd.ts';
import { callerOf, requireMayStart } from './mayStart.ts';
import { makeRunFolder, nextRunFolder } from './runFolders.ts';
import { folderPlace, lanePlace, type RunPlace } from './runPlace.ts';
import { toAnswer, unendedAnswer, type RunFacts } from './toAnswer.ts';
import { whenAborted } from './whenAborted.ts';

const startMs = 30_000;

/**
 * Runs one agent under a supervisor of its own, to its end. Whatever comes in the way is told by the answer.
 * @throws what is no AgentKitError: something that the machine did not let us do, or a bug
 */
export async function runAgent(
  context: AgentRunContext,
  request: AgentRunRequest,
  watch: AgentRunWatch,
): Promise<AgentRunAnswer> {
  const begun = performance.now();
  const facts: RunFacts = { kind: request.kind, profile: null, cwd: request.cwd, run_folder: null };
  const left = whenAborted(watch.leave).then((): never => {
    const where =
      facts.run_folder === null ? '' : `; what it started is still being ended: ${facts.run_folder}`;
    throw new AgentKitError('cancelled', `Cancelled${where}`);
  });
  try {
    return await Promise.race([holdAndRun(context, request, watch, facts), left]);
  } catch (error) {
    if (!(error instanceof AgentKitError)) throw error;
    return unendedAnswer(facts, error, Math.round(performance.now() - begun) / 1000);
  }
}

/** With an account that is held until the agent has ended. */
async function holdAndRun(
  context: AgentRunContext,
  request: AgentRunRequest,
  watch: AgentRunWatch,
  facts: RunFacts,
): Promise<AgentRunAnswer> {
  const { environment } = context;
  const kind = requireKind(context, request.kind);
  const settings = await readPersonSettings(environment);
  const posture = choosePosture({ flags: request.flags, said: [settings.permissions] });
  const place =
    request.lane === undefined ? await folderPlace(request.cwd) : await lanePlace(request.cwd, request.lane);
  facts.cwd = place.cwd;
  const folder = nextRunFolder(environment, context.now());
  const owner = `run/${basename(folder)}`;
  const taker = { owner, holder: folder, reads: posture === 'read-only' };
  try {
    const profile = await chooseAccount(context, request, settings, taker);
    facts.profile = profile.name;
    requireGoing(watch);
    return await runUnder({ context, request, watch, facts, kind, profile, place, posture, folder });
  } finally {
    // What is left to its supervisor keeps the account until that has ended.
    if (!watch.leave.aborted) await releaseLease({ owner, environment });
  }
}

interface Parts {
  context: AgentRunContext;
  request: AgentRunRequest;
  watch: AgentRunWatch;
  facts: RunFacts;
  kind: AgentKind;
  profile: Profile;
  place: RunPlace;
  posture: Posture;
  folder: string;
}

async function runUnder(parts: Parts): Promise<AgentRunAnswer> {
  const { context, request, watch, facts, kind, profile, place, folder } = parts;
  const { environment, node, dist } = context;
  const start = kind.launch(profile, {
    posture: parts.posture,
    ...(request.model !== undefined && { model: request.model }),
    ...(request.resume !== undefined && { resume: request.resume }),
  });
  await confirmAccount({ kind, profile, environment });
  if (request.trustCwd) await trust(kind, profile, place.cwd, watch);
  requireGoing(watch);
  const launch = agentLaunch(context, { ...parts, start, timeoutS: request.timeoutS });
  const record = {
    version: 1 as const,
    caller: kind.install === null ? null : callerOf(environment),
    writes: parts.posture !== 'read-only',
    lane: place.lane?.address ?? null,
  };
  const { runsLock } = stateFiles(userFolders(environment).state);
  const begin = async () => {
    await requireMayStart(record, environment);
    await makeRunFolder(folder, record);
    facts.run_folder = folder;
    await writeFile(promptFile(folder), request.prompt, { mode: 0o600 });
    const stopping = stopWhenAsked(folder, watch);
    requireGoing(watch);
    await startStep({ folder, launch, node, dist, environment });
    return stopping;
  };
  const stopping = await withLock(runsLock, begin, { timeoutMs: startMs });
  watch.onNote(
    `${formatAccount({ kind: kind.id, profile: profile.name })} in ${place.cwd}; its record: ${folder}`,
  );
  return toAnswer(facts, await Promise.race([followToEnd(folder, watch), stopping.fails]));
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

function requireGoing({ stop }: AgentRunWatch): void {
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

function requireKind({ kinds }: AgentRunContext, id: string): AgentKind {
  const kind = kinds.get(id);
  if (!kind) throw unknownKind(id, kinds);
  const { installed, label, install } = kindOnMachine(kind);
  if (!installed)
    throw new AgentKitError('not_installed', `${label} is not installed; install it with: ${install}`);
  return kind;
}

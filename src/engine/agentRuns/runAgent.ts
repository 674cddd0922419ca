import { basename } from 'node:path';
import { AgentKitError, messageOf } from '../../core/agentKitError.ts';
import { choosePosture } from '../../core/safety/posture.ts';
import { kindOnMachine } from '../accounts/kindOnMachine.ts';
import { releaseLease } from '../accounts/leases.ts';
import { readPersonSettings } from '../accounts/personSettings.ts';
import type { AgentKind } from '../agents/agentKind.ts';
import { unknownKind } from '../agents/unknownKind.ts';
import { requirePerson } from '../person/requirePerson.ts';
import type { AgentRunAnswer, AgentRunContext, AgentRunRequest, AgentRunWatch } from './agentRun.ts';
import { chooseAccount } from './chooseAccount.ts';
import { nextRunFolder } from './runFolders.ts';
import { folderPlace, lanePlace } from './runPlace.ts';
import { requireGoing, superviseRun } from './superviseRun.ts';
import { unendedAnswer, type RunFacts } from './toAnswer.ts';
import { whenAborted } from './whenAborted.ts';

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
  if (request.trustCwd) requirePerson(environment, 'have a folder trusted');
  const kind = requireKind(context, request.kind);
  const settings = await readPersonSettings(environment);
  const posture = choosePosture({ flags: request.flags, said: [settings.permissions] });
  const place =
    request.lane === undefined ? await folderPlace(request.cwd) : await lanePlace(request.cwd, request.lane);
  facts.cwd = place.cwd;
  const folder = nextRunFolder(environment, context.now());
  const mode = posture === 'read-only' ? ('read' as const) : ('write' as const);
  const owner = { owner: `run/${basename(folder)}`, holder: folder, mode };
  const work = async () => {
    const profile = await chooseAccount({ context, kind, request, settings, owner, stop: watch.stop });
    facts.profile = profile.name;
    requireGoing(watch);
    return superviseRun({
      ...{ context, request, watch, facts, kind, profile, place, posture, folder },
      owner: owner.owner,
    });
  };
  try {
    return await Promise.race([work(), stoppedEarly(watch, facts)]);
  } finally {
    // What is left to its supervisor keeps the account until that has ended.
    if (!watch.leave.aborted) await giveBack(owner.owner, context, watch);
  }
}

/** A stop need not wait for vendors and CLIs that are being asked; once there is an agent, its supervisor ends it. */
async function stoppedEarly(watch: AgentRunWatch, facts: RunFacts): Promise<never> {
  await whenAborted(watch.stop);
  if (facts.run_folder === null) requireGoing(watch);
  return new Promise(() => undefined);
}

/** Its lease lapses with this process at the latest, so that is no reason to lose the answer. */
async function giveBack(
  owner: string,
  { environment }: AgentRunContext,
  watch: AgentRunWatch,
): Promise<void> {
  await releaseLease({ owner, environment }).catch((error: unknown) =>
    watch.onNote(`The account was not given back at once: ${messageOf(error)}`),
  );
}

function requireKind({ kinds, environment }: AgentRunContext, id: string): AgentKind {
  const kind = kinds.get(id);
  if (!kind) throw unknownKind(id, kinds, environment);
  const { installed, label, install } = kindOnMachine(kind);
  if (!installed)
    throw new AgentKitError('not_installed', `${label} is not installed; install it with: ${install}`);
  return kind;
}

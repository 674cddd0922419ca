import { AgentKitError } from '../../core/agentKitError.ts';
import { findGate } from '../plans/findGate.ts';
import { readRepositorySettings } from '../plans/readRepositorySettings.ts';
import { unallowedCommands } from '../plans/unallowedCommands.ts';
import type { Request } from '../../core/run/request.ts';
import type { CareSources } from './createLaneCare.ts';

type OwnSettings = Extract<Request, { do: 'addLane' }>['own'];

/**
 * What a lane by hand that starts from a commit is judged by and given, as that commit says.
 * @throws AgentKitError `refused` where its commands need the person's word, `invalid_input` with the place
 */
export async function ownSettingsAt(
  { repository, needsTrust, copies, engine }: CareSources,
  commit: string,
): Promise<OwnSettings> {
  const settings = await readRepositorySettings(repository.root, commit, copies?.());
  const { gate, source } = await findGate(repository.root, commit, {}, settings.gate);
  const { setup = [], teardown = [] } = settings.worktree ?? {};
  const runsCommands = source === 'agentkit.yaml' || setup.length + teardown.length > 0;
  if (needsTrust && runsCommands) {
    const unallowed = await unallowedCommands(repository, commit, engine.environment);
    if (unallowed.length > 0) throw new AgentKitError('refused', unallowed.join('\n'));
  }
  return { gate, ...(settings.worktree !== undefined && { worktree: settings.worktree }) };
}

import type { Command } from 'commander';
import { AgentKitError } from '../../core/agentKitError.ts';
import type { LaneView } from '../../core/lanes/laneView.ts';
import type { AgentKit } from '../../engine/agentKit.ts';
import { discardText } from '../discardText.ts';
import { laneAtRest } from '../laneAtRest.ts';
import { laneTable } from '../laneTable.ts';
import { laneText } from '../laneText.ts';
import { printableName } from '../printable.ts';
import { again } from '../optionValues.ts';
import { readPrompt } from '../readPrompt.ts';
import type { Session } from '../session.ts';

/** Commands of `ak lane` that make lanes, talk to their agents, and take them away and back. */
export function fillLaneLife(lane: Command, session: Session): void {
  lane
    .command('create')
    .description('Make lanes by hand: a branch and a worktree each, for you or for ak run --lane.')
    .argument('<name...>')
    .option('--base <ref>', 'branch or commit to start from; default: as for a plan')
    .option('--paths <glob>', 'what may be written there; may be given again', again, [])
    .option('--json', 'print lanes-v1')
    .action(async (names: string[], { base, paths }: { base?: string; paths: string[] }) => {
      const kit = await session.kit();
      const lanes = await kit.lanes.create(names, { paths, ...(base !== undefined && { base }) });
      if (lanes.some(({ state }) => state !== 'open')) session.exitCode = 1;
      session.answer('lanes-v1', { lanes, unreadable: [] }, () =>
        [laneTable(lanes), ...lanes.flatMap(madeText)].join('\n'),
      );
    });
  lane
    .command('tell')
    .description("Go on in the lane's own session: ak lane tell LANE -- TEXT, or -- - for standard input.")
    .argument('<lane>')
    .argument('[words...]', 'behind --: what to tell')
    .option('--json', 'print lane-v1')
    .action(async (id: string) => tell(await session.kit(), id));
  lane
    .command('discard')
    .description('Rescue a lane, then take its worktree and branch away; prints the ref that restores it.')
    .argument('<lane>')
    .option('--dry-run', 'only show what it would mean')
    .option('--accept-loss', 'also where the preview names something that cannot be kept')
    .option('--json', 'print discard-v1')
    .action(async (id: string, options: { dryRun?: boolean; acceptLoss?: boolean }) =>
      discard(await session.kit(), id, options),
    );
  lane
    .command('restore')
    .description('Bring a rescued lane back as a lane by hand, byte for byte.')
    .argument('<ref>', 'a rescue, or a lane for its newest one')
    .option('--json', 'print lane-v1')
    .action(async (ref: string) => {
      const view = await (await session.kit()).lanes.restore(ref);
      if (view.state !== 'open') session.exitCode = 1;
      session.answer('lane-v1', view, () => laneText(view));
    });

  async function tell(kit: AgentKit, id: string): Promise<void> {
    const { behind } = session;
    const text = Buffer.from(await readPrompt({ behind })).toString('utf8');
    const { run, lane: laneId } = await kit.findLane(id);
    const answer = await kit.lanes.tell(id, text, { signal: session.interrupts.signal });
    if (!answer.ok) throw new AgentKitError('refused', answer.message);
    const view = await laneAtRest(session, kit, `${run}/${laneId}`);
    if (view.state !== 'ready') session.exitCode = 1;
    session.answer('lane-v1', view, () => laneText(view));
  }

  async function discard(
    kit: AgentKit,
    id: string,
    { dryRun = false, acceptLoss = false }: { dryRun?: boolean; acceptLoss?: boolean },
  ): Promise<void> {
    const preview = await kit.lanes.previewDiscard(id);
    const refused = preview.why_not.length > 0 || (preview.not_kept.length > 0 && !acceptLoss);
    if (dryRun || refused) {
      if (refused) session.exitCode = 1;
      const message = preview.why_not[0] ?? (refused ? notKept : null);
      const text = () => [discardText(preview), ...(message === notKept ? [notKept] : [])].join('\n');
      return session.answer('discard-v1', { ...preview, discarded: false, rescue: null, message }, text);
    }
    const { ok, message, rescue } = await kit.lanes.discard(
      id,
      { acceptsLoss: acceptLoss },
      { signal: session.interrupts.signal },
    );
    if (!ok) session.exitCode = 1;
    const text = rescue === null ? message : `${message}\nBring it back: ak lane restore ${rescue}`;
    session.answer('discard-v1', { ...preview, discarded: ok, rescue, message }, text);
  }
}

/** Where a new lane is, from what it starts, and what is unexpected of that. */
function madeText({ path, base, warnings }: LaneView): string[] {
  return [
    ...(path === null ? [] : [path]),
    ...(base === null ? [] : [`  from ${printableName(base.ref)} (${base.sha.slice(0, 12)})`]),
    ...warnings.map((warning) => `  warning: ${printableName(warning)}`),
  ];
}

const notKept =
  'Nothing was taken away: something in it cannot be kept. Move that to a safe place, or say --accept-loss.';

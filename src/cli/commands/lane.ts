import type { Command } from 'commander';
import { AgentKitError } from '../../core/agentKitError.ts';
import type { LaneView } from '../../core/lanes/laneView.ts';
import type { RequestBody } from '../../core/run/request.ts';
import type { AgentKit } from '../../engine/agentKit.ts';
import { attachLane } from '../attachLane.ts';
import { askOwner, askOwnerFirmly } from '../askOwner.ts';
import { laneAtRest } from '../laneAtRest.ts';
import { laneTable } from '../laneTable.ts';
import { laneText } from '../laneText.ts';
import { mergeAnswer } from '../mergeAnswer.ts';
import { printableName } from '../printable.ts';
import type { Session } from '../session.ts';
import { fillLaneLife } from './laneLife.ts';
import { fillLaneUpkeep } from './laneUpkeep.ts';

/** `ak lane …`: look at lanes and act on them. */
export function fillLane(lane: Command, session: Session): void {
  lane
    .command('ls')
    .description('List the lanes of every run, or of one.')
    .argument('[run]')
    .option('--json', 'print lanes-v1')
    .action(async (run: string | undefined) => {
      const kit = await session.kit();
      const { runs, unreadable } =
        run === undefined ? await kit.listRuns() : { runs: [await kit.readRun(run)], unreadable: [] };
      for (const { message } of unreadable) session.say(`ak: ${message}`);
      if (unreadable.length > 0) session.exitCode = 1;
      const lanes = runs.flatMap((each) => each.lanes);
      const text = runs
        .map((each) => `${each.name} (${each.run}): ${each.status}\n${laneTable(each.lanes)}`)
        .join('\n');
      const none = unreadable.length > 0 ? 'No run can be read.' : 'There are no lanes yet.';
      session.answer('lanes-v1', { lanes, unreadable }, text === '' ? none : text);
    });
  withLane(lane, 'show', 'Show a lane.', 'lane-v1', async (kit, id) => {
    const view = await kit.findLane(id);
    session.answer('lane-v1', view, laneText(view));
  });
  withLane(lane, 'open', "Print the folder of the lane's worktree.", 'lane-path-v1', async (kit, id) => {
    const { path, folder_gone: isGone, warnings } = await kit.findLane(id);
    if (path === null) throw new AgentKitError('not_found', `Lane ${id} has no worktree yet.`);
    if (isGone) throw new AgentKitError('not_found', warnings[0] ?? `${path} is gone.`);
    session.answer('lane-path-v1', { path }, path);
  });
  withLane(lane, 'diff', 'List what the lane changed against its base.', 'lane-diff-v1', async (kit, id) => {
    const files = await kit.changedFiles(id);
    session.answer(
      'lane-diff-v1',
      { files },
      files.map(({ status, path }) => `${status}  ${printableName(path)}`).join('\n'),
    );
  });
  lane
    .command('attach')
    .description("Follow the agent's progress, readable and live. Ctrl+C twice asks to stop the lane.")
    .argument('<lane>')
    .option('--stay', 'keep the terminal open at the end, until Enter')
    .action(async (id: string, { stay }: { stay?: boolean }) => {
      session.interrupts.release();
      await attachLane(await session.kit(), id, stay === true);
    });
  lane
    .command('merge')
    .description('Merge a lane: build the merged tree, run the gate on it, then move the target.')
    .argument('<lane>')
    .option('--dry-run', 'only show what it would do')
    .option('--json', 'print merge-v1')
    .action(async (id: string, options: { dryRun?: boolean }) =>
      mergeLane(await session.kit(), id, options.dryRun === true),
    );
  withLane(
    lane,
    'gate',
    'Commit what is not committed in a lane, and run its gate again.',
    'lane-v1',
    async (kit, id) => {
      const view = await askAndWait(kit, id, { do: 'gate', lane: id });
      if (view.gate.status !== 'passed') session.exitCode = 1;
      session.answer('lane-v1', view, laneText(view));
    },
  );
  withLane(
    lane,
    'retry',
    'Queue a failed, interrupted or blocked lane again.',
    'lane-v1',
    async (kit, id) => {
      const view = await askAndWait(kit, id, { do: 'retry', lane: id });
      // By hand it has no agent that could make it ready.
      if (view.state !== 'ready' && view.state !== 'open') session.exitCode = 1;
      session.answer('lane-v1', view, laneText(view));
    },
  );
  withLane(lane, 'stop', 'Stop what runs in a lane; it keeps what it has.', 'answer-v1', async (kit, id) => {
    const { run, lane: laneId } = await kit.findLane(id);
    const message = await kit.lanes.stopGuest(id);
    if (message !== null) return session.answer('answer-v1', { ok: true, message }, message);
    const answer = await askOwnerFirmly(session, kit, run, { do: 'stopLane', lane: laneId });
    session.answer('answer-v1', answer, answer.message);
  });

  fillLaneLife(lane, session);
  fillLaneUpkeep(lane, session);

  function withLane(
    parent: Command,
    name: string,
    description: string,
    schema: string,
    act: (kit: AgentKit, id: string) => Promise<void>,
  ): void {
    parent
      .command(name)
      .description(description)
      .argument('<lane>')
      .option('--json', `print ${schema}`)
      .action(async (id: string) => act(await session.kit(), id));
  }

  async function mergeLane(kit: AgentKit, id: string, dryRun: boolean): Promise<void> {
    const plan = await kit.planMerge(id);
    if (dryRun) {
      if (plan.whyNot.length > 0) session.exitCode = 1;
      const text = [
        `${plan.lane} into ${plan.target || 'no branch'}: commits ${plan.commits.length}, files ${plan.files.length}`,
        ...plan.whyNot,
      ].join('\n');
      return session.answer('merge-v1', { ...mergeAnswer(plan), merged: false }, text);
    }
    if (plan.whyNot.length > 0) {
      session.exitCode = 1;
      return session.answer('merge-v1', { ...mergeAnswer(plan), merged: false }, plan.whyNot.join('\n'));
    }
    const { run, lane: laneId } = await kit.findLane(id);
    const commands = [...plan.setup, ...plan.gate.map((check) => check.run)];
    session.say(`Runs on the merged tree: ${commands.join(', ')}`);
    const answer = await askOwner(session, kit, run, { do: 'merge', lane: laneId, expect: plan.from });
    const after = await kit.findLane(id);
    if (!answer.ok) session.exitCode = 1;
    session.answer(
      'merge-v1',
      {
        ...mergeAnswer({ ...plan, whyNot: answer.ok ? [] : [answer.message] }),
        merged: answer.ok,
        lane_state: after.state,
        merge_gate: after.merge_gate,
      },
      answer.message,
    );
  }

  /** Asks, then waits until the lane has come to rest. */
  async function askAndWait(kit: AgentKit, id: string, body: RequestBody): Promise<LaneView> {
    const { run, lane: laneId } = await kit.findLane(id);
    await askOwnerFirmly(session, kit, run, { ...body, lane: laneId } as RequestBody);
    return laneAtRest(session, kit, id);
  }
}

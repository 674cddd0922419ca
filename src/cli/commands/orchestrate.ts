import { resolve } from 'node:path';
import type { Command } from 'commander';
import { AgentKitError } from '../../core/agentKitError.ts';
import type { LaneState } from '../../core/lanes/laneState.ts';
import type { RunView } from '../../core/lanes/laneView.ts';
import { renderReport } from '../../core/run/renderReport.ts';
import { askOwner } from '../askOwner.ts';
import { followRun } from '../followRun.ts';
import type { AgentKit } from '../../engine/agentKit.ts';
import { outputFiles } from '../outputFiles.ts';
import { printableName } from '../printable.ts';
import type { Session } from '../session.ts';
import { laneTable } from '../laneTable.ts';
import { previewText } from './plan.ts';

const askHelp =
  'from now on the agents of the run ask before they act; so do "permissions: ask" in a plan or your settings';

/** `ak orchestrate …`: start, watch, stop and resume runs. */
export function fillOrchestrate(orchestrate: Command, session: Session): void {
  orchestrate
    .command('start')
    .description('Start a plan and conduct it until nothing is left to do. Ctrl+C lets go; the agents go on.')
    .argument('<plan>')
    .option('--yes', 'approve what the plan shows: its jobs, accounts and the commands of its gate')
    .option('--ask', askHelp)
    .option('--json', 'print run-v1')
    .action(async (plan: string, options: { yes?: boolean; ask?: boolean }) => {
      const file = resolve(plan);
      const ask = options.ask === true;
      const kit = await session.kit();
      const preview = await kit.previewPlan({ file }, { ask });
      if (preview.refusal === 'invalid_input')
        throw new AgentKitError(preview.refusal, previewText(plan, preview));
      if (preview.refusal !== null) throw new AgentKitError(preview.refusal, preview.whyNot.join('\n'));
      if (options.yes !== true)
        throw new AgentKitError('refused', `${previewText(plan, preview)}\nStart it with --yes.`);
      session.interrupts.signal.throwIfAborted();
      await warnOfOutput(session, kit);
      const { run, atRest } = await kit.startRun({ file }, { ask });
      session.say(`Run ${run} started.`);
      answerRun(session, await followRun(kit, run, atRest, session));
    });
  orchestrate
    .command('resume')
    .description(
      'Go on with a run that was stopped or whose owner is gone, and with all that was broken off in it.',
    )
    .argument('<run>', 'id, folder or report folder')
    .option('--ask', askHelp)
    .option('--json', 'print run-v1')
    .action(async (run: string, options: { ask?: boolean }) => {
      const kit = await session.kit();
      await warnOfOutput(session, kit);
      const { resumable, status } = await kit.readRun(run);
      if (!resumable && status !== 'running') session.say(nothingToGoOnWith);
      const resumed = await kit.resumeRun(run, { retry: true, ask: options.ask === true });
      for (const message of resumed.refused) session.say(`Not gone on with: ${message}`);
      answerRun(session, await followRun(kit, resumed.run, resumed.atRest, session));
    });
  orchestrate
    .command('stop')
    .description('Stop the agents of a run; the lanes keep what they have.')
    .argument('<run>')
    .option('--json', 'print answer-v1')
    .action(async (run: string) => {
      const answer = await askOwner(session, await session.kit(), run, { do: 'stopRun' });
      session.answer('answer-v1', answer, answer.message);
    });
  orchestrate
    .command('status')
    .description('Show a run and its lanes.')
    .argument('<run>')
    .option('--json', 'print run-v1')
    .action(async (run: string) => {
      const view = await (await session.kit()).readRun(run);
      session.answer('run-v1', view, () => statusText(view));
    });
  orchestrate
    .command('report')
    .description('Print the report of a run.')
    .argument('<run>')
    .option('--json', 'print report-v1')
    .action(async (run: string) => {
      const view = await (await session.kit()).readRun(run);
      session.answer('report-v1', view, renderReport(view, printableName));
    });
}

const nothingToGoOnWith =
  'Nothing of it was stopped or broke off. One lane that failed is tried again by: ak lane retry LANE';

function statusText(view: RunView): string {
  const { name, run, status, lanes, resumable } = view;
  const cure = resumable ? [goOnWith(run)] : [];
  return [`${name} (${run}): ${status}`, ...baseText(view), laneTable(lanes), ...cure].join('\n');
}

function baseText({ standing, base: { ref, sha, how, warnings = [] } }: RunView): string[] {
  // Each lane by hand has a base of its own.
  if (standing) return [];
  const rule = how === undefined ? '' : ` (${how})`;
  return [
    `from ${printableName(ref)} at ${sha.slice(0, 10)}${rule}`,
    ...warnings.map((warning) => `warning: ${printableName(warning)}`),
  ];
}

/** It grows while agents work, and nobody can tell then that none of them has changed it. */
async function warnOfOutput(session: Session, kit: AgentKit): Promise<void> {
  for (const file of outputFiles())
    if (await kit.showsInCheckout(file))
      session.say(
        `warning: the output of this command goes to ${printableName(file)}, which changes the checkout while agents work: lanes will not pass because of it. Send it elsewhere, or to a file that git ignores.`,
      );
}

/** States that ask nothing of a person. */
const isFine: ReadonlySet<LaneState> = new Set(['ready', 'merged', 'queued', 'open', 'dropped']);

function answerRun(session: Session, view: RunView): void {
  if (view.lanes.some(({ state }) => !isFine.has(state))) session.exitCode = 1;
  if (view.resumable) session.say(goOnWith(view.run));
  session.answer('run-v1', view, renderReport(view, printableName));
}

const goOnWith = (run: string) => `Go on with it: ak orchestrate resume ${run}`;

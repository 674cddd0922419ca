import { l10n, Uri, workspace } from 'vscode';
import type { RunView } from '../../core/lanes/laneView.ts';
import type { Boards } from '../board/registerBoard.ts';
import type { Services } from '../platform/services.ts';
import { runArgument } from '../commands/laneArgument.ts';
import { isActive } from '../stores/attention.ts';
import { activePlan } from './activePlan.ts';
import { choosePlan } from './choosePlan.ts';

/** The board that is meant: of the run that is named, of the plan in front, of a run under way, or of a picked plan. */
export async function boardToOpen(services: Services, boards: Boards, argument: unknown): Promise<Uri> {
  const named = runArgument(argument);
  const run = named === undefined ? undefined : services.lanes.run(named);
  if (run) return boardOfRun(run, boards);
  const inFront = activePlan();
  if (inFront) return inFront;
  const underWay = services.lanes.runs.find(isActive);
  if (underWay) return boardOfRun(underWay, boards);
  return choosePlan<never>(l10n.t('Open the board of which plan?'));
}

/** The plan file that the run was made of, where it still has the run's name, else the plan that the run keeps. */
async function boardOfRun(run: RunView, boards: Boards): Promise<Uri> {
  const [plan] = await workspace.findFiles(`plans/${run.name}.{yaml,yml}`, undefined, 1);
  if (!plan) return Uri.file(`${run.folder}/plan.yaml`);
  boards.choices.set(plan, { run: run.run });
  return plan;
}

import { commands, l10n, window, type Uri } from 'vscode';
import { AgentKitError } from '../../core/agentKitError.ts';
import type { CustomEditorId, PlanCommandId } from '../../ids.ts';
import type { Boards } from '../board/registerBoard.ts';
import type { CommandTable } from '../commands/commandTable.ts';
import type { Services } from '../platform/services.ts';
import { activePlan, planArgument } from './activePlan.ts';
import { boardToOpen } from './boardToOpen.ts';
import { choosePlan } from './choosePlan.ts';
import { fanOut } from './fanOut.ts';
import { newPlan } from './newPlan.ts';
import { openDemoPlan } from './openDemoPlan.ts';
import { startPlan } from './startPlan.ts';

const boardId: CustomEditorId = 'agentkit.planBoard';

export function planCommands(services: Services, boards: Boards): CommandTable<PlanCommandId> {
  return {
    'agentkit.plan.fanOut': async () => {
      const plan = await fanOut(services);
      boards.choices.set(plan, 'plan');
      await openBoard(plan);
    },
    'agentkit.plan.new': async () => {
      await window.showTextDocument(await newPlan(services));
    },
    'agentkit.plan.openDemo': () => openDemoPlan(services, openBoard),
    'agentkit.plan.start': async (argument) => {
      services.requireTrust();
      const plan =
        planArgument(argument) ??
        activePlan() ??
        (await choosePlan<never>(l10n.t('Which plan is to start?')));
      const run = await startPlan(services, plan);
      boards.choices.set(plan, { run });
      await openBoard(plan);
    },
    'agentkit.board.open': async (argument) => {
      await openBoard(planArgument(argument) ?? (await boardToOpen(services, boards, argument)));
    },
    'agentkit.board.showPlan': () => boards.choices.set(activeBoard(boards).document.uri, 'plan'),
    'agentkit.board.showRun': () => {
      const { document, model } = activeBoard(boards);
      const run = model.newestRun;
      if (!run) throw new AgentKitError('not_found', l10n.t('This plan has not run yet.'));
      boards.choices.set(document.uri, { run: run.run });
    },
  };
}

function activeBoard(boards: Boards) {
  const { active } = boards.editor;
  if (!active) throw new AgentKitError('not_found', l10n.t('Open the board of a plan first.'));
  return active;
}

async function openBoard(plan: Uri): Promise<void> {
  await commands.executeCommand('vscode.openWith', plan, boardId);
}

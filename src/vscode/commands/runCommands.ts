import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { commands, l10n, Uri, window } from 'vscode';
import { AgentKitError } from '../../core/agentKitError.ts';
import type { RunCommandId } from '../../ids.ts';
import { plainMessage } from '../platform/plainMessage.ts';
import { reportFailure } from '../platform/reportFailure.ts';
import type { Services } from '../platform/services.ts';
import { isWorking } from '../stores/attention.ts';
import { asSentences } from './asSentences.ts';
import { askOwner } from './askOwner.ts';
import { chooseRun } from './chooseRun.ts';
import type { CommandTable } from './commandTable.ts';

export function runCommands(services: Services): CommandTable<RunCommandId> {
  const any = () => true;
  const noRun = l10n.t('There is no run in this repository yet.');
  return {
    'agentkit.run.stop': async (argument) => {
      const none = l10n.t('No run is under way.');
      const run = await chooseRun(services, argument, ({ status }) => status === 'running', none);
      if (!(await confirmStop(run.name, run.lanes.filter(isWorking).length))) return;
      await askOwner(services, run.run, { do: 'stopRun' }, l10n.t('Stopping run {0}', run.name));
    },
    'agentkit.run.resume': async (argument) => {
      const none = l10n.t('There is no run to go on with.');
      const run = await chooseRun(services, argument, ({ resumable }) => resumable, none);
      const { atRest, refused } = await (await services.kit()).resumeRun(run.run, { retry: true });
      if (refused.length > 0) services.notify.warn(asSentences(refused));
      atRest.catch((error: unknown) => reportFailure(services, error, run.run));
      await services.lanes.refresh();
    },
    'agentkit.run.openPlan': async (argument) => {
      const run = await chooseRun(services, argument, any, noRun);
      await commands.executeCommand('vscode.open', Uri.file(join(run.folder, 'plan.yaml')));
    },
    'agentkit.run.showReport': async (argument) => {
      const run = await chooseRun(services, argument, any, noRun);
      const report = join(run.report, 'report.md');
      await access(report).catch(() => {
        throw new AgentKitError(
          'not_found',
          l10n.t('Run {0} has no report yet: it is written at its end.', run.name),
        );
      });
      await commands.executeCommand('markdown.showPreview', Uri.file(report));
    },
  };
}

async function confirmStop(name: string, working: number): Promise<boolean> {
  if (working === 0) return true;
  const stop = l10n.t('Stop Run');
  const detail = l10n.t(
    '{0} lanes are at work. Their agents end; what they wrote stays in their lanes.',
    working,
  );
  const answer = await window.showWarningMessage(
    plainMessage(l10n.t('Stop run {0}?', name)),
    { modal: true, detail },
    stop,
  );
  return answer === stop;
}

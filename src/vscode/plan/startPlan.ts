import { CancellationError, l10n, window, workspace, type Uri } from 'vscode';
import { AgentKitError } from '../../core/agentKitError.ts';
import type { Job } from '../../core/plan/plan.ts';
import { reportFailure } from '../platform/reportFailure.ts';
import type { Services } from '../platform/services.ts';
import { requireRepository } from './requireRepository.ts';

/**
 * Starts a run of a plan file, saved first. Returns the run's id.
 * @throws AgentKitError `refused` with the reasons why it cannot start; CancellationError
 */
export async function startPlan(services: Services, plan: Uri): Promise<string> {
  await requireRepository(services);
  const document = await workspace.openTextDocument(plan);
  if (document.isDirty && !(await document.save())) {
    throw new AgentKitError('refused', l10n.t('{0} could not be saved, so it was not started.', plan.fsPath));
  }
  const kit = await services.kit();
  const source = { file: plan.fsPath };
  const preview = await kit.previewPlan(source);
  const [problem] = preview.problems;
  if (problem) {
    const { line, column, message } = problem;
    throw new AgentKitError('invalid_input', `${plan.fsPath}:${line}:${column}: ${message}`);
  }
  if (preview.whyNot.length > 0) throw new AgentKitError('refused', preview.whyNot.join(' '));
  await agreeToUnchecked(preview.plan?.jobs ?? []);
  const { run, atRest } = await kit.startRun(source);
  atRest.catch((error: unknown) => reportFailure(services, error, `run ${run}`));
  await services.lanes.refresh();
  return run;
}

/** Whether writers without `paths` meet is not known before they did; the person decides. */
async function agreeToUnchecked(jobs: readonly Job[]): Promise<void> {
  const writers = jobs.filter(({ effect }) => effect === 'write');
  const unchecked = writers.filter(({ paths }) => paths.length === 0);
  if (unchecked.length === 0 || writers.length < 2) return;
  const start = l10n.t('Start Anyway');
  const detail = l10n.t(
    'Jobs without paths: {0}. Overlaps with other jobs show only when merging.',
    unchecked.map(({ id }) => id).join(', '),
  );
  const question = l10n.t('Some jobs do not say what they may write, so overlaps are not checked.');
  if ((await window.showWarningMessage(question, { modal: true, detail }, start)) !== start)
    throw new CancellationError();
}

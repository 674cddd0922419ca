import { CancellationError, l10n, window, type Uri } from 'vscode';
import type { Services } from '../platform/services.ts';
import { chooseKind } from './chooseKind.ts';
import { requireRepository } from './requireRepository.ts';
import { writePlanFile } from './writePlanFile.ts';

/** Writes a plan with one job to fill in. @throws CancellationError */
export async function newPlan(services: Services): Promise<Uri> {
  const root = await requireRepository(services);
  const name = await window.showInputBox({
    title: l10n.t('New Plan'),
    prompt: l10n.t('Its name, which is also the name of its file in plans/'),
    validateInput: (value) =>
      /^[A-Za-z0-9][A-Za-z0-9._-]{0,59}$/.test(value.trim())
        ? undefined
        : l10n.t('Use letters, digits, ".", "_", "-".'),
  });
  if (name === undefined) throw new CancellationError();
  const kind = await chooseKind(services);
  const { planFromPieces } = await import('../../core/plan/writePlan.ts');
  const pieces = [l10n.t('Describe the first piece of work here.')];
  return writePlanFile(root, name.trim(), planFromPieces({ name: name.trim(), pieces, kind }));
}

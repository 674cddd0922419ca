import { l10n, window, type Uri } from 'vscode';
import type { Services } from '../platform/services.ts';
import { askPieces } from './askPieces.ts';
import { chooseKind } from './chooseKind.ts';
import { choosePlan, type OtherSource } from './choosePlan.ts';
import { piecesOfText } from './piecesOfText.ts';
import { requireRepository } from './requireRepository.ts';
import { writePlanFile } from './writePlanFile.ts';

type Pieces = () => Promise<string[]>;

/** Makes a plan of pieces of work, or takes one that is there; the caller shows its board. Starts nothing. */
export async function fanOut(services: Services): Promise<Uri> {
  const root = await requireRepository(services);
  const source = await choosePlan(l10n.t('Fan Out: what is to be done?'), pieceSources());
  if (typeof source !== 'function') return source;
  const pieces = await source();
  const kind = await chooseKind(services);
  const { planFromPieces } = await import('../../core/plan/writePlan.ts');
  const { slug } = await import('../../core/plan/slug.ts');
  const name = slug(pieces[0] ?? '');
  return writePlanFile(root, name, planFromPieces({ name, pieces, kind }));
}

function pieceSources(): OtherSource<Pieces>[] {
  const typed = {
    label: l10n.t('$(edit) Write the pieces of work'),
    detail: l10n.t('One a line. The board shows them before anything starts.'),
    value: askPieces,
  };
  const editor = window.activeTextEditor;
  const selected = editor ? piecesOfText(editor.document.getText(editor.selection)) : [];
  if (selected.length === 0) return [typed];
  const label = l10n.t('$(list-selection) Take the selected lines ({0})', selected.length);
  return [{ label, detail: selected.join(' · '), value: () => Promise.resolve(selected) }, typed];
}

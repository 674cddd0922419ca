import {
  CancellationError,
  l10n,
  QuickPickItemKind,
  window,
  workspace,
  type QuickPickItem,
  type Uri,
} from 'vscode';
import { planGlob } from './isPlanFile.ts';

/** An entry of the picker that is no plan file, like writing new pieces. */
export interface OtherSource<T> {
  label: string;
  detail: string;
  value: T;
}

interface SourceItem<T> extends QuickPickItem {
  value?: Uri | T | 'browse';
}

/** More plans than anybody picks from by eye. */
const maxPlans = 200;

/** Asks for a plan of this workspace, any other plan file, or one of the other sources. @throws CancellationError */
export async function choosePlan<T>(title: string, others: OtherSource<T>[] = []): Promise<Uri | T> {
  const plans = await workspace.findFiles(planGlob, '**/node_modules/**', maxPlans);
  const items: SourceItem<T>[] = [
    ...others.map(({ label, detail, value }) => ({ label, detail, value })),
    ...(plans.length > 0 ? [{ label: l10n.t('plans'), kind: QuickPickItemKind.Separator }] : []),
    ...plans
      .map((uri) => ({ label: `$(project) ${workspace.asRelativePath(uri)}`, value: uri }))
      .toSorted((a, b) => (a.label < b.label ? -1 : 1)),
    { label: l10n.t('$(folder-opened) Choose another plan file…'), value: 'browse' },
  ];
  const picked = await window.showQuickPick(items, { title });
  if (picked?.value === undefined) throw new CancellationError();
  return picked.value === 'browse' ? browse() : picked.value;
}

async function browse(): Promise<Uri> {
  const filters = { [l10n.t('Plans')]: ['yaml', 'yml'] };
  const [uri] = (await window.showOpenDialog({ canSelectMany: false, filters })) ?? [];
  if (!uri) throw new CancellationError();
  return uri;
}

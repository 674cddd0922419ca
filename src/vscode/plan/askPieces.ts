import { CancellationError, l10n, QuickPickItemKind, ThemeIcon, window, type QuickPickItem } from 'vscode';

interface PieceItem extends QuickPickItem {
  does: 'add' | 'finish' | { edit: number } | 'nothing';
}

const remove = { iconPath: new ThemeIcon('trash'), tooltip: l10n.t('Remove') };

/**
 * Collects pieces of work, one a line: Enter adds a piece, Enter on an empty line finishes, a piece that is chosen
 * can be changed.
 * @throws CancellationError
 */
export async function askPieces(): Promise<string[]> {
  const picker = window.createQuickPick<PieceItem>();
  const pieces: string[] = [];
  const show = (): void => {
    picker.placeholder =
      pieces.length === 0
        ? l10n.t('Describe the first piece of work and press Enter')
        : l10n.t('Describe the next piece, or press Enter to see the board');
    picker.items = itemsFor(picker.value.trim(), pieces);
  };
  picker.title = l10n.t('Fan Out: one piece of work a line');
  picker.ignoreFocusOut = true;
  picker.onDidChangeValue(show);
  picker.onDidTriggerItemButton(({ item }) => {
    if (typeof item.does === 'object') pieces.splice(item.does.edit, 1);
    show();
  });
  show();
  try {
    return await new Promise<string[]>((resolve, reject) => {
      picker.onDidHide(() => reject(new CancellationError()));
      picker.onDidAccept(() => {
        // What is typed counts more than what is selected: Enter can be faster than the list.
        const does = picker.selectedItems[0]?.does;
        const typed = picker.value.trim();
        if (typed !== '') pieces.push(typed);
        else if (does === 'finish') {
          resolve(pieces);
          return;
        }
        picker.value = typeof does === 'object' ? (pieces.splice(does.edit, 1)[0] ?? '') : '';
        show();
      });
      picker.show();
    });
  } finally {
    picker.dispose();
  }
}

function itemsFor(typed: string, pieces: readonly string[]): PieceItem[] {
  const first: PieceItem[] =
    typed !== ''
      ? [{ label: l10n.t('$(add) Add this piece'), description: typed, alwaysShow: true, does: 'add' }]
      : pieces.length > 0
        ? [{ label: l10n.t('$(project) Show on the board'), alwaysShow: true, does: 'finish' }]
        : [];
  if (pieces.length === 0) return first;
  return [
    ...first,
    { label: l10n.t('{0} so far', pieces.length), kind: QuickPickItemKind.Separator, does: 'nothing' },
    ...pieces.map((piece, index) => ({
      label: `${index + 1}. ${piece}`,
      alwaysShow: true,
      buttons: [remove],
      does: { edit: index },
    })),
  ];
}

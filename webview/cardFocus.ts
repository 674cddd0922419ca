/** The id of the card that an element stands in. */
export function cardAround(element: Element | null): string | null {
  return element?.closest<HTMLElement>('[data-card]')?.dataset['card'] ?? null;
}

function findCard(root: HTMLElement, id: string): HTMLElement | undefined {
  return [...root.querySelectorAll<HTMLElement>('[data-card]')].find((card) => card.dataset['card'] === id);
}

export function focusCard(root: HTMLElement, id: string): void {
  findCard(root, id)?.focus();
}

export function focusEditor(root: HTMLElement, id: string): void {
  findCard(root, id)?.querySelector<HTMLElement>('.plan-editor vscode-text-area')?.focus();
}

/**
 * Draws, and lets the focus follow a card that the drawing moved to another column. When the card is gone
 * the board's tab stop takes the focus, so that it never falls back to the top of the page. A page that a person is not
 * in takes no focus: it would close what they have just opened elsewhere.
 */
export function drawKeepingFocus(root: HTMLElement, tabStop: string | null, draw: () => void): void {
  const { ownerDocument } = root;
  const held = ownerDocument.hasFocus() ? cardAround(ownerDocument.activeElement) : null;
  draw();
  if (held === null || cardAround(ownerDocument.activeElement) !== null) return;
  const next = findCard(root, held) === undefined ? tabStop : held;
  if (next !== null) focusCard(root, next);
}

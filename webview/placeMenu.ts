/** Puts an open menu below its anchor, or above it where the window ends. Script may set styles under our CSP. */
export function placeMenu(menu: HTMLElement, anchor: DOMRect): void {
  const { innerWidth, innerHeight } = window;
  const { width, height } = menu.getBoundingClientRect();
  const below = anchor.bottom + 2;
  const top = below + height > innerHeight ? anchor.top - height - 2 : below;
  menu.style.top = `${Math.max(4, top)}px`;
  menu.style.left = `${Math.max(4, Math.min(anchor.right - width, innerWidth - width - 4))}px`;
}

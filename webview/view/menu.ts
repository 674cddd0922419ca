import { html, type TemplateResult } from 'lit';

export interface MenuItem {
  label: string;
  run: () => void;
}

/** A card's menu. It takes the focus when it opens; arrows move, Escape and Tab close. */
export function menu(label: string, items: readonly MenuItem[], close: () => void): TemplateResult {
  const onKey = (event: KeyboardEvent) => {
    const buttons = [...(event.currentTarget as Element).querySelectorAll('button')];
    const at = buttons.indexOf(event.target as HTMLButtonElement);
    const targets: Record<string, number> = {
      ArrowDown: (at + 1) % buttons.length,
      ArrowUp: (at - 1 + buttons.length) % buttons.length,
      Home: 0,
      End: buttons.length - 1,
    };
    const target = targets[event.key];
    if (target !== undefined) buttons[target]?.focus();
    else if (event.key === 'Escape' || event.key === 'Tab') close();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return html`<ul class="menu" role="menu" aria-label=${label} @keydown=${onKey}>
    ${items.map(
      ({ label: text, run }) =>
        html`<li role="none">
          <button
            type="button"
            role="menuitem"
            tabindex="-1"
            @click=${() => {
              close();
              run();
            }}
          >
            ${text}
          </button>
        </li>`,
    )}
  </ul>`;
}

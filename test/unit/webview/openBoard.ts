import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { JSDOM } from 'jsdom';
import type { ToHost, ToPage } from '../../../src/protocol/boardMessages.ts';
import { boardHtml } from '../../../src/vscode/board/boardHtml.ts';
import { buildBoard } from '../../../webview/buildBoard.mjs';
import type { ViewState } from '../../../webview/viewState.ts';

let bundle: Promise<string> | undefined;

/** The page's script as it is shipped, built once for all tests. */
async function buildScript(): Promise<string> {
  const outdir = await mkdtemp(join(tmpdir(), 'agentkit-board-'));
  try {
    await buildBoard({ root: process.cwd(), outdir, production: true });
    return await readFile(join(outdir, 'board.js'), 'utf8');
  } finally {
    await rm(outdir, { recursive: true, force: true });
  }
}

export interface OpenBoard {
  document: Document;
  /** What the page has sent to the host, oldest first. */
  sent: ToHost[];
  /** What the page keeps for the time it is hidden. */
  readonly state: ViewState | undefined;
  post(message: ToPage): void;
  card(id: string): HTMLElement;
  /** The button of that accessible name, in the page or in a part of it. */
  button(name: string, within?: ParentNode): HTMLElement;
  /** Presses a key where the focus is; true when the page took it. */
  press(key: string, more?: KeyboardEventInit): boolean;
  focusedCard(): string | undefined;
  close(): void;
}

/** Opens the board page in a window of its own, as after `acquireVsCodeApi` in the editor. */
export async function openBoard(state?: ViewState): Promise<OpenBoard> {
  bundle ??= buildScript();
  const html = boardHtml({
    scriptUri: '',
    styleUri: '',
    codiconUri: '',
    cspSource: '',
    nonce: 'n',
    title: 'Board',
  });
  const { window } = new JSDOM(html, { runScripts: 'outside-only', pretendToBeVisual: true });
  const { document } = window;
  const sent: ToHost[] = [];
  let kept = state;
  Object.assign(window, {
    acquireVsCodeApi: () => ({
      postMessage: (message: ToHost) => sent.push(structuredClone(message)),
      getState: () => kept,
      setState: (next: ViewState) => (kept = structuredClone(next)),
    }),
  });
  window.eval(await bundle);
  const find = (
    selector: string,
    within: ParentNode,
    fits: (element: HTMLElement) => boolean,
    what: string,
  ) => {
    const found = [...within.querySelectorAll<HTMLElement>(selector)].find(fits);
    if (found === undefined) throw new Error(`there is no ${what} on the page`);
    return found;
  };
  return {
    document,
    sent,
    get state() {
      return kept;
    },
    post: (data) => window.dispatchEvent(new window.MessageEvent('message', { data })),
    card: (id) => find('[data-card]', document, (card) => card.dataset['card'] === id, `card ${id}`),
    button: (name, within = document) =>
      find(
        'button, vscode-button',
        within,
        (button) => (button.getAttribute('aria-label') ?? button.textContent.trim()) === name,
        `button ${name}`,
      ),
    press: (key, more) => {
      const event = new window.KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...more });
      return !(document.activeElement ?? document.body).dispatchEvent(event);
    },
    focusedCard: () => document.activeElement?.closest<HTMLElement>('[data-card]')?.dataset['card'],
    close: () => window.close(),
  };
}

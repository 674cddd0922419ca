import type { Frame, Locator } from 'playwright-core';
import type { Workbench } from './workbench.ts';

/** The board in the active editor. */
export class ShownBoard {
  readonly #workbench: Workbench;

  constructor(workbench: Workbench) {
    this.#workbench = workbench;
  }

  /** Waits until the board of a plan or run is there, with its icons. */
  async of(name: string): Promise<void> {
    await this.#page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
    await this.#page.locator('body').evaluate(async () => {
      await document.fonts.load('16px codicon');
    });
  }

  /** The card of a job or lane; its name tells its state too. */
  card(id: string, state = ''): Locator {
    return this.#page.getByRole('listitem', { name: new RegExp(`^${id}, .*${state}`) });
  }

  button(name: string): Locator {
    return this.#page.getByRole('button', { name, exact: true });
  }

  /** A labelled part of the board, like `Gate` or `Cannot start yet`. */
  part(name: RegExp): Locator {
    return this.#page.getByRole('region', { name });
  }

  field(name: RegExp): Locator {
    return this.#page.getByRole('textbox', { name });
  }

  /** Its document, for what looks at all of it. */
  async frame(): Promise<Frame> {
    const frame = await (await this.#page.owner().elementHandle())?.contentFrame();
    if (!frame) throw new Error('No board is shown');
    return frame;
  }

  get #page() {
    return this.#workbench.webview;
  }
}

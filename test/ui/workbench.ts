import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { FrameLocator, Locator, Page } from 'playwright-core';
import type { CodeServer } from '../../scripts/codeServer.mjs';
import { repositoryRoot } from '../../scripts/toolchain.mjs';

/** Where pictures go. */
const pictures = path.join(repositoryRoot, 'test-results');

/** For what a person would wait for too, in milliseconds; long, because only what never comes takes so long. */
const patience = 90_000;

interface Parts {
  page: Page;
  server: CodeServer;
  startServer: (port: number) => Promise<CodeServer>;
  url: string;
  dispose: () => Promise<void>;
}

/** A running workbench and the gestures of the person in front of it. `openWorkbench` makes one. */
export class Workbench {
  readonly page: Page;
  /** Stops the editor and all that came from it, and removes its profile. */
  readonly dispose: () => Promise<void>;
  readonly #url: string;
  readonly #startServer: (port: number) => Promise<CodeServer>;
  #server: CodeServer;

  constructor({ page, server, startServer, url, dispose }: Parts) {
    this.page = page;
    this.dispose = dispose;
    this.#server = server;
    this.#startServer = startServer;
    this.#url = url;
    page.setDefaultTimeout(patience);
  }

  /** Opens the window, or opens it again as after closing its tab. */
  async load(): Promise<void> {
    await this.page.goto(this.#url);
    await this.page.locator('.monaco-workbench .part.statusbar').waitFor();
  }

  /** "Developer: Reload Window". */
  async reload(): Promise<void> {
    await this.page.reload();
    await this.page.locator('.monaco-workbench .part.statusbar').waitFor();
  }

  /** Closes the window while its network is cut, so that the server does not learn of it, and opens it again. */
  async reopenAfterLoss(): Promise<void> {
    const context = this.page.context();
    await context.setOffline(true);
    await this.page.goto('about:blank');
    await context.setOffline(false);
    await this.load();
  }

  /** Ends the editor's processes as when VS Code quits; what was started detached goes on. */
  async stopServer(): Promise<void> {
    await this.#server.stop();
  }

  /** Starts the editor again on the same profile and address, after `stopServer()`, and opens the window. */
  async restartServer(): Promise<void> {
    this.#server = await this.#startServer(Number(new URL(this.#url).port));
    await this.load();
  }

  /** The palette, a pick or an input box: whatever asks at the top. */
  get quickInput(): Locator {
    return this.page.locator('.quick-input-widget');
  }

  /**
   * Opens the palette filtered to a command, by its whole title there, e.g. `AgentKit: Show Log`; returns its entry.
   * An open palette does not learn of commands whose extension comes later, so it is opened until the command is there.
   */
  async showInPalette(title: string): Promise<Locator> {
    const deadline = Date.now() + patience;
    for (;;) {
      // A webview that has the focus would swallow the key.
      await this.page.evaluate('document.activeElement?.blur(); window.focus()');
      await this.page.keyboard.press('F1');
      await this.quickInput.getByRole('textbox').fill(`>${title}`);
      try {
        await this.#option(title).waitFor({ timeout: 5000 });
        return this.#option(title);
      } catch (error) {
        if (Date.now() > deadline) throw error;
        await this.page.keyboard.press('Escape');
      }
    }
  }

  async runCommand(title: string): Promise<void> {
    const entry = await this.showInPalette(title);
    await entry.click();
  }

  /**
   * Runs a command that asks with a list, and chooses the entry with this name. The editor may close a list that has just
   * opened when it hands the focus back to a webview; as a person does, the command is then run again.
   */
  async runAndPick(title: string, name: string): Promise<void> {
    const deadline = Date.now() + patience;
    for (;;) {
      await this.runCommand(title);
      try {
        await this.quickInput.getByRole('option', { name }).click({ timeout: 10_000 });
        return;
      } catch (error) {
        if (Date.now() > deadline || (await this.quickInput.isVisible())) throw error;
      }
    }
  }

  /** Runs a command, and chooses `pick` if it asks with a list first, until what it then shows is there. */
  async runUntil(title: string, shown: Locator, pick?: string): Promise<void> {
    const deadline = Date.now() + patience;
    for (;;) {
      await (pick === undefined ? this.runCommand(title) : this.runAndPick(title, pick));
      try {
        await shown.waitFor({ timeout: 20_000 });
        return;
      } catch (error) {
        if (Date.now() > deadline) throw error;
      }
    }
  }

  /** Types into the input box that is open and confirms it. */
  async answer(text: string): Promise<void> {
    await this.quickInput.getByRole('textbox').fill(text);
    await this.page.keyboard.press('Enter');
  }

  /** Chooses an entry of the pick that is open by its label. */
  async pick(label: string): Promise<void> {
    await this.#option(label).click();
  }

  #option(label: string): Locator {
    return this.quickInput
      .getByRole('option')
      .filter({ has: this.page.getByText(label, { exact: true }) })
      .first();
  }

  /** An item of any tree that is shown, by its accessible name. */
  treeItem(name: string | RegExp): Locator {
    return this.page.getByRole('treeitem', { name });
  }

  /** The content of the webview that is shown. */
  get webview(): FrameLocator {
    return this.page
      .locator('iframe.webview')
      .filter({ visible: true })
      .contentFrame()
      .frameLocator('iframe#active-frame');
  }

  /** Writes `test-results/<name>.png`; returns its path. */
  async screenshot(name: string): Promise<string> {
    mkdirSync(pictures, { recursive: true });
    const file = path.join(pictures, `${name}.png`);
    await this.page.screenshot({ path: file, animations: 'disabled' });
    return file;
  }
}

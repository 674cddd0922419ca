import { Disposable, workspace, type TextDocument, type WebviewPanel } from 'vscode';
import type { SettingId } from '../../ids.ts';
import { reportFailure } from '../platform/reportFailure.ts';
import type { Services } from '../platform/services.ts';
import { answerPage } from './answerPage.ts';
import type { BoardChoices } from './boardChoices.ts';
import { BoardFeed } from './boardFeed.ts';
import { BoardModel } from './boardModel.ts';
import { judgeMessage } from './judgeMessage.ts';

/** Pause in typing after which a changed plan is looked at again, in milliseconds. */
const typingMs = 300;
const asksSetting: SettingId = 'agentkit.permissions';

/** One open board: brings what changes to its page, and what the page asks for to the commands. */
export class BoardSession implements Disposable {
  readonly document: TextDocument;
  readonly model: BoardModel;
  readonly #panel: WebviewPanel;
  readonly #services: Services;
  readonly #feed: BoardFeed;
  readonly #disposables: Disposable[];
  #timer: NodeJS.Timeout | undefined;
  #disposed = false;
  #updating = false;
  #again = false;
  #seenAccounts = '';

  constructor(document: TextDocument, panel: WebviewPanel, services: Services, choices: BoardChoices) {
    this.document = document;
    this.#panel = panel;
    this.#services = services;
    this.model = new BoardModel(document, services, choices);
    this.#feed = new BoardFeed((message) => void panel.webview.postMessage(message));
    this.#disposables = [
      panel.webview.onDidReceiveMessage((raw: unknown) => this.#receive(raw)),
      panel.onDidChangeViewState(() => panel.visible && this.#showAll()),
      workspace.onDidChangeTextDocument((event) => event.document === document && this.#updateSoon()),
      workspace.onDidGrantWorkspaceTrust(() => this.#update()),
      workspace.onDidChangeConfiguration(
        (event) => event.affectsConfiguration(asksSetting) && this.#update(),
      ),
      services.lanes.onDidChange(() => this.#update()),
      services.accounts.onDidChange(() => this.#accountsChanged() && this.#update()),
      choices.onDidChange((plan) => plan.toString() === document.uri.toString() && this.#update()),
    ];
  }

  dispose(): void {
    this.#disposed = true;
    clearTimeout(this.#timer);
    this.#feed.dispose();
    Disposable.from(...this.#disposables).dispose();
  }

  async #receive(raw: unknown): Promise<void> {
    const judged = judgeMessage(raw, this.#feed.latest);
    if ('refused' in judged) {
      this.#services.log.warn(
        `board of ${this.document.uri.path}: ignored a message of the page, ${judged.refused}`,
      );
      return;
    }
    const { message } = judged;
    if (message.type === 'ready') {
      this.#showAll();
      return;
    }
    try {
      await answerPage(message, this.document, this.model.run);
    } catch (error) {
      reportFailure(this.#services, error, `board: ${message.type}`);
    }
    // Also an edit that changed nothing is answered, so that the page shows the plan's own text again.
    if (message.type === 'edit') this.#showAll();
  }

  #showAll(): void {
    this.#feed.restart();
    this.#update();
  }

  #updateSoon(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#update(), typingMs);
  }

  /** One reading at a time; what happens meanwhile is looked at right after it. A hidden page is told on reveal. */
  #update(): void {
    this.#again = true;
    if (this.#updating || this.#disposed || !this.#panel.visible) return;
    this.#updating = true;
    void this.#updateUntilQuiet()
      .catch((error: unknown) => reportFailure(this.#services, error, 'board'))
      .finally(() => (this.#updating = false));
  }

  async #updateUntilQuiet(): Promise<void> {
    while (this.#again) {
      this.#again = false;
      this.#feed.show(await this.model.snapshot());
      this.#accountsChanged();
    }
  }

  /** True when a plan may get other accounts. A preview hands over readings that are only newer: no news. */
  #accountsChanged(): boolean {
    const seen = JSON.stringify(
      this.#services.accounts.accounts?.map(({ name, reading: { excluded, status, windows } }) => [
        name,
        excluded,
        status,
        windows.map(({ id, free_pct, resets_at }) => [id, free_pct, resets_at]),
      ]),
    );
    const isNew = seen !== this.#seenAccounts;
    this.#seenAccounts = seen ?? '';
    return isNew;
  }
}

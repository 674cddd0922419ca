import { html, nothing, render } from 'lit';
import type { WebviewApi } from 'vscode-webview';
import type { BoardCard, BoardSnapshot, ToHost, ToPage } from '../src/protocol/boardMessages.ts';
import { Announcer } from './announcer.ts';
import { applyMessage } from './applyMessage.ts';
import { cardAround, drawKeepingFocus, focusCard, focusEditor } from './cardFocus.ts';
import { cardGrid, tabStop } from './cardGrid.ts';
import { cardCommand, editorCommand } from './cardKeys.ts';
import { describeChanges } from './describeChanges.ts';
import { Drafts, type TextField } from './drafts.ts';
import { menuItems } from './menuItems.ts';
import { placeMenu } from './placeMenu.ts';
import { board } from './view/board.ts';
import type { BoardIntents } from './view/boardContext.ts';
import { menu } from './view/menu.ts';
import { initialViewState, type ViewState } from './viewState.ts';

const fields: readonly TextField[] = ['prompt', 'paths'];

/** The page's one piece of state: the host's last picture, and where the person is on it. */
export class BoardPage implements BoardIntents {
  readonly #host: WebviewApi<ViewState>;
  readonly #root: HTMLElement;
  readonly #drafts: Drafts;
  readonly #announcer: Announcer;
  #snapshot: BoardSnapshot | null = null;
  #view: ViewState;
  #menu: { card: string; anchor: DOMRect } | null = null;
  #highlighted: string | null = null;
  #spoken = '';

  constructor(host: WebviewApi<ViewState>, root: HTMLElement) {
    this.#host = host;
    this.#root = root;
    this.#view = { ...initialViewState, ...host.getState() };
    this.#drafts = new Drafts(this.#view.drafts);
    this.#announcer = new Announcer((text) => {
      this.#spoken = text;
      this.render();
    });
    root.addEventListener('keydown', (event) => this.#onKey(event));
    root.addEventListener('focusin', (event) => this.#onFocus(cardAround(event.target as Element)));
    root.ownerDocument.addEventListener('pointerdown', (event) => this.#onPointer(event));
  }

  receive(message: ToPage): void {
    const before = this.#snapshot;
    this.#snapshot = applyMessage(before, message);
    if (this.#snapshot === null) return;
    if (before === null) this.#drafts.resume(this.#snapshot.cards).forEach((edit) => this.send(edit));
    else this.#drafts.settle();
    if (this.#menu !== null && this.#card(this.#menu.card) === undefined) this.#menu = null;
    this.#announcer.say(describeChanges(before, this.#snapshot));
    this.render();
  }

  render(): void {
    const snapshot = this.#snapshot;
    const stop = snapshot === null ? null : tabStop(cardGrid(snapshot), this.#view.focused);
    drawKeepingFocus(this.#root, stop, () => render(this.#page(snapshot, stop), this.#root));
    const open = this.#root.querySelector<HTMLElement>('.menu');
    if (open !== null && this.#menu !== null) placeMenu(open, this.#menu.anchor);
  }

  send(message: ToHost): void {
    this.#host.postMessage(message);
  }

  focusCard(card: string): void {
    focusCard(this.#root, card);
  }

  highlight(card: string | null): void {
    this.#highlighted = card;
    this.render();
  }

  toggleDetails(): void {
    this.#update({ details: !this.#view.details });
  }

  /** Opens or closes a card; a closing editor keeps what was typed. */
  toggleCard(card: string): void {
    const { open } = this.#view;
    const closes = open.includes(card);
    if (closes) fields.forEach((field) => this.commit(card, field));
    this.#update({ open: closes ? open.filter((id) => id !== card) : [...open, card] });
    if (closes) focusCard(this.#root, card);
    else focusEditor(this.#root, card);
  }

  openMenu(card: string, anchor: Element): void {
    this.#menu = { card, anchor: anchor.getBoundingClientRect() };
    this.render();
    this.#root.querySelector<HTMLElement>('.menu button')?.focus();
  }

  type(card: BoardCard, field: TextField, value: string): void {
    this.#drafts.type(card, field, value);
    this.#save();
  }

  commit(card: string, field: TextField): void {
    const edit = this.#drafts.commit(card, field);
    if (edit !== null) this.send(edit);
    this.#save();
  }

  #page(snapshot: BoardSnapshot | null, stop: string | null) {
    const live = html`<p class="visually-hidden" role="status">${this.#spoken}</p>`;
    if (snapshot === null)
      return html`<p class="empty">Reading the plan…</p>
        ${live}`;
    const context = {
      snapshot,
      now: Date.now(),
      tabStop: stop,
      highlighted: this.#highlighted,
      open: new Set(this.#view.open),
      details: this.#view.details,
      text: (card: BoardCard, field: TextField) => this.#drafts.text(card, field),
      intents: this,
    };
    return html`${board(context)}${this.#openMenu()}${live}`;
  }

  #openMenu() {
    const card = this.#menu === null ? undefined : this.#card(this.#menu.card);
    if (card === undefined || this.#snapshot === null) return nothing;
    const items = menuItems(card, this.#snapshot.mode, this.#view.open.includes(card.id), this);
    return menu(`Actions for ${card.id}`, items, () => this.#closeMenu());
  }

  #closeMenu(): void {
    const card = this.#menu?.card;
    this.#menu = null;
    this.render();
    if (card !== undefined) focusCard(this.#root, card);
  }

  #card(id: string): BoardCard | undefined {
    return this.#snapshot?.cards.find((card) => card.id === id);
  }

  #onFocus(card: string | null): void {
    if (card !== null && card !== this.#view.focused) this.#update({ focused: card });
  }

  #onPointer(event: Event): void {
    const inMenu = event.target instanceof Element && event.target.closest('.menu') !== null;
    if (this.#menu === null || inMenu) return;
    this.#menu = null;
    this.render();
  }

  #onKey(event: KeyboardEvent): void {
    const target = event.target as HTMLElement;
    const card = this.#card(cardAround(target) ?? '');
    if (card === undefined || this.#snapshot === null) return;
    const handled =
      target.closest('.plan-editor') === null
        ? this.#onCardKey(event, card, target)
        : this.#onEditorKey(event, card);
    if (handled) event.preventDefault();
  }

  #onCardKey(event: KeyboardEvent, card: BoardCard, target: HTMLElement): boolean {
    const command = cardCommand(event, card.id, cardGrid(this.#snapshot as BoardSnapshot));
    const onCard = target.dataset['card'] !== undefined;
    if (command === null) return false;
    if (command.do === 'focus') this.focusCard(command.card);
    else if (command.do === 'menu') this.openMenu(card.id, target);
    else if (!onCard) return false;
    else this.#open(card, command.do);
    return true;
  }

  #open(card: BoardCard, how: 'enter' | 'toggle'): void {
    const [first] = card.actions;
    const acts = how === 'enter' && this.#snapshot?.mode === 'run' && first !== undefined;
    if (acts) this.send({ type: 'action', card: card.id, action: first.id });
    else this.toggleCard(card.id);
  }

  #onEditorKey(event: KeyboardEvent, card: BoardCard): boolean {
    const command = editorCommand(event);
    if (command === null) return false;
    if (command === 'drop') fields.forEach((field) => this.#drafts.discard(card.id, field));
    this.toggleCard(card.id);
    return true;
  }

  #update(change: Partial<ViewState>): void {
    this.#view = { ...this.#view, ...change };
    this.#save();
    this.render();
  }

  #save(): void {
    this.#host.setState({ ...this.#view, drafts: this.#drafts.unsent });
  }
}

import type { BoardCard, ToHost } from '../src/protocol/boardMessages.ts';

type Edit = Extract<ToHost, { type: 'edit' }>;
export type TextField = 'prompt' | 'paths';

/** Text typed into a card's field that the plan does not have yet. */
export interface Draft {
  job: string;
  field: TextField;
  value: string;
  /** What the plan said when typing began. */
  from: string;
}

/** The text of a field as the plan has it; paths are one a line. */
export function plannedText(card: BoardCard, field: TextField): string {
  return field === 'prompt' ? card.prompt : card.paths.join('\n');
}

/** Keeps a field's text through snapshots that arrive while the user types. */
export class Drafts {
  #drafts: Draft[];
  #sent: Draft[] = [];

  constructor(drafts: readonly Draft[]) {
    this.#drafts = [...drafts];
  }

  get unsent(): Draft[] {
    return this.#drafts.filter((draft) => !this.#sent.includes(draft));
  }

  text(card: BoardCard, field: TextField): string {
    return this.#find(card.id, field)?.value ?? plannedText(card, field);
  }

  type(card: BoardCard, field: TextField, value: string): void {
    const from = plannedText(card, field);
    this.discard(card.id, field);
    if (value !== from) this.#drafts.push({ job: card.id, field, value, from });
  }

  discard(job: string, field: TextField): void {
    this.#drafts = this.#drafts.filter((draft) => draft.job !== job || draft.field !== field);
  }

  /** The edit that brings the plan up to the field; null when there is none. */
  commit(job: string, field: TextField): Edit | null {
    const draft = this.#find(job, field);
    if (draft === undefined || this.#sent.includes(draft)) return null;
    this.#sent.push(draft);
    return { type: 'edit', job, field, value: draft.value };
  }

  /** A snapshot answers what was sent: from here on the plan's own text is shown. */
  settle(): void {
    this.#drafts = this.unsent;
    this.#sent = [];
  }

  /** After the page was hidden in the middle of typing: edits that still fit the plan; the others are dropped. */
  resume(cards: readonly BoardCard[]): Edit[] {
    this.#drafts = this.#drafts.filter((draft) => {
      const card = cards.find(({ id }) => id === draft.job);
      return card !== undefined && plannedText(card, draft.field) === draft.from;
    });
    return this.#drafts.flatMap((draft) => this.commit(draft.job, draft.field) ?? []);
  }

  #find(job: string, field: TextField): Draft | undefined {
    return this.#drafts.find((draft) => draft.job === job && draft.field === field);
  }
}

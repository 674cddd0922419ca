import type { Draft } from './drafts.ts';

/** What the page keeps for itself while it is hidden; everything else comes with the next snapshot. */
export interface ViewState {
  focused: string | null;
  /** Cards whose editor or details are open. */
  open: string[];
  /** Gate and accounts below the title line. */
  details: boolean;
  drafts: Draft[];
}

export const initialViewState: ViewState = { focused: null, open: [], details: true, drafts: [] };

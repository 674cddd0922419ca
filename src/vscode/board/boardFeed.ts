import type { BoardSnapshot, ToPage } from '../../protocol/boardMessages.ts';
import { changedCards } from './changedCards.ts';

/** Least time between two messages to the page, in milliseconds. */
const quietMs = 250;

/** Keeps one page up to date: the whole picture first, then what changed, at most four messages a second. */
export class BoardFeed {
  readonly #post: (message: ToPage) => void;
  #latest: BoardSnapshot | null = null;
  #sent: BoardSnapshot | null = null;
  #sentAt = 0;
  #timer: NodeJS.Timeout | undefined;
  #disposed = false;

  constructor(post: (message: ToPage) => void) {
    this.#post = post;
  }

  /** What the page shows, or is about to. */
  get latest(): BoardSnapshot | null {
    return this.#latest;
  }

  show(snapshot: BoardSnapshot): void {
    this.#latest = snapshot;
    this.#schedule();
  }

  /** The page knows nothing any more, or waits for an answer: the whole picture is next. */
  restart(): void {
    this.#sent = null;
    this.#schedule();
  }

  /** The page is gone; a picture that was still being made reaches nobody. */
  dispose(): void {
    this.#disposed = true;
    clearTimeout(this.#timer);
  }

  #schedule(): void {
    if (this.#disposed) return;
    this.#timer ??= setTimeout(() => this.#flush(), Math.max(0, this.#sentAt + quietMs - Date.now()));
  }

  #flush(): void {
    this.#timer = undefined;
    const message = this.#latest && changedCards(this.#sent, this.#latest);
    if (!message) return;
    this.#sent = this.#latest;
    this.#sentAt = Date.now();
    this.#post(message);
  }
}

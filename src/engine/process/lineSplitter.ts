const newline = 0x0a;

/**
 * Cuts bytes into lines with bounded memory. Bytes that are not UTF-8 become U+FFFD. Of a line longer than
 * `maxBytes` the start is kept, without the word it was cut in (it could be half of a secret), and marked.
 */
export class LineSplitter {
  readonly #maxBytes: number;
  #pending = Buffer.alloc(4096);
  #length = 0;
  #overflowed = false;
  #cut = false;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Whether any line so far was too long. */
  get cut(): boolean {
    return this.#cut;
  }

  /** Takes the next bytes and returns the lines that they complete. */
  push(chunk: Uint8Array): string[] {
    const lines: string[] = [];
    let start = 0;
    for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, start)) {
      this.#keep(chunk.subarray(start, end));
      lines.push(this.#take());
      start = end + 1;
    }
    this.#keep(chunk.subarray(start));
    return lines;
  }

  /** The last line when the stream has ended without a newline. */
  end(): string[] {
    return this.#length > 0 ? [this.#take()] : [];
  }

  /** The bytes of the line that is not complete yet; they are handed over and forgotten here. */
  takeRest(): Uint8Array {
    const rest = Uint8Array.from(this.#pending.subarray(0, this.#length));
    this.#length = 0;
    this.#overflowed = false;
    return rest;
  }

  #keep(bytes: Uint8Array): void {
    const room = this.#maxBytes - this.#length;
    this.#overflowed ||= bytes.length > room;
    const part = bytes.subarray(0, room);
    if (this.#length + part.length > this.#pending.length) {
      const larger = Buffer.alloc(Math.min(this.#maxBytes, 2 * (this.#length + part.length)));
      this.#pending.copy(larger, 0, 0, this.#length);
      this.#pending = larger;
    }
    this.#pending.set(part, this.#length);
    this.#length += part.length;
  }

  #take(): string {
    const text = this.#pending.toString('utf8', 0, this.#length).replace(/\r$/, '');
    const line = this.#overflowed ? `${withoutLastWord(text)}… [line cut]` : text;
    this.#cut ||= this.#overflowed;
    this.#overflowed = false;
    this.#length = 0;
    return line;
  }
}

/** Looks at the end only: a pattern over the whole of a long line would take for ever. */
function withoutLastWord(text: string): string {
  const end = text.slice(-4096);
  return text.slice(0, text.length - end.length) + end.replace(/\S+$/, '');
}

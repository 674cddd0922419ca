/** Reads a stream of bytes in pieces of the sizes that the reader asks for. Holds no more than one chunk of it. */
export class ByteReader {
  readonly #chunks: AsyncIterator<Buffer>;
  #rest: Buffer = Buffer.alloc(0);

  constructor(chunks: AsyncIterable<Buffer>) {
    this.#chunks = chunks[Symbol.asyncIterator]();
  }

  /** The next line without its end; null at the end of the stream. */
  async line(): Promise<string | null> {
    const parts: Buffer[] = [];
    for (;;) {
      const end = this.#rest.indexOf(0x0a);
      if (end !== -1) {
        parts.push(this.#rest.subarray(0, end));
        this.#rest = this.#rest.subarray(end + 1);
        return Buffer.concat(parts).toString('latin1');
      }
      parts.push(this.#rest);
      if (!(await this.#more())) return null;
    }
  }

  /** The next bytes, fewer only at the end of the stream. */
  async read(bytes: number): Promise<Buffer> {
    const parts: Buffer[] = [];
    for await (const part of this.take(bytes)) parts.push(part);
    return Buffer.concat(parts);
  }

  /** The next bytes piece by piece; all of them must be taken before anything else is read. */
  async *take(bytes: number): AsyncGenerator<Buffer> {
    for (let left = bytes; left > 0;) {
      if (this.#rest.length === 0 && !(await this.#more())) return;
      const part = this.#rest.subarray(0, left);
      this.#rest = this.#rest.subarray(part.length);
      left -= part.length;
      yield part;
    }
  }

  /** Replaces the rest, which has been used up. */
  async #more(): Promise<boolean> {
    const next = await this.#chunks.next();
    this.#rest = next.done ? Buffer.alloc(0) : next.value;
    return !next.done;
  }
}

/** Keeps the last bytes of a stream in memory that is taken once. */
export class TailBuffer {
  readonly #ring: Buffer;
  #total = 0;

  constructor(capacity: number) {
    this.#ring = Buffer.alloc(capacity);
  }

  /** How many bytes came in that are no longer kept. */
  get dropped(): number {
    return Math.max(0, this.#total - this.#ring.length);
  }

  push(chunk: Uint8Array): void {
    const size = this.#ring.length;
    const kept = chunk.subarray(Math.max(0, chunk.length - size));
    const at = (this.#total + chunk.length - kept.length) % size;
    const first = kept.subarray(0, size - at);
    this.#ring.set(first, at);
    this.#ring.set(kept.subarray(first.length), 0);
    this.#total += chunk.length;
  }

  bytes(): Buffer {
    const size = this.#ring.length;
    if (this.#total <= size) {
      return this.#ring.subarray(0, this.#total);
    }
    const at = this.#total % size;
    return Buffer.concat([this.#ring.subarray(at), this.#ring.subarray(0, at)]);
  }
}

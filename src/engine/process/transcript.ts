import { closeSync, openSync, writeSync } from 'node:fs';
import type { TranscriptLine } from './launch.ts';

/** Room for the supervisor's own notes, kept beside the bound. */
const noteBytes = 64 * 1024;
const maxTextLength = 16 * 1024;

/**
 * Appends to `transcript.jsonl`: every text is redacted first, and the file never grows beyond its bound. What
 * does not fit is left out and a line says so. A full disk loses lines, not the process that is watched.
 */
export class Transcript {
  readonly #descriptor: number;
  readonly #redact: (text: string) => string;
  #room: number;
  #noteRoom = noteBytes;
  #truncated = false;
  #last: string | null = null;

  constructor(file: string, options: { redact: (text: string) => string; maxBytes: number }) {
    this.#descriptor = openSync(file, 'a', 0o600);
    this.#redact = options.redact;
    this.#room = options.maxBytes;
  }

  /** Whether lines were left out. */
  get truncated(): boolean {
    return this.#truncated;
  }

  /** Text of the last line, redacted. */
  get last(): string | null {
    return this.#last;
  }

  write(...lines: Omit<TranscriptLine, 'at'>[]): void {
    if (this.#truncated || lines.length === 0) {
      return;
    }
    const texts = lines.map((line) => this.#format(line));
    let fitting = 0;
    for (const text of texts) {
      this.#room -= Buffer.byteLength(text);
      if (this.#room < 0) {
        break;
      }
      fitting += 1;
    }
    this.#append(texts.slice(0, fitting).join(''));
    if (fitting < texts.length) {
      this.#truncated = true;
      this.note('The transcript has reached its bound; what follows is not kept.');
    }
  }

  /** A line of the supervisor itself; has its place also after the bound was reached. */
  note(text: string): void {
    const line = this.#format({ kind: 'note', text });
    this.#noteRoom -= Buffer.byteLength(line);
    if (this.#noteRoom >= 0) {
      this.#append(line);
    }
  }

  close(): void {
    closeSync(this.#descriptor);
  }

  #format(line: Omit<TranscriptLine, 'at'>): string {
    const redacted = this.#redact(line.text);
    const text = redacted.length > maxTextLength ? `${redacted.slice(0, maxTextLength)}… [cut]` : redacted;
    this.#last = text;
    return JSON.stringify({ at: new Date().toISOString(), kind: line.kind, text }) + '\n';
  }

  #append(text: string): void {
    try {
      writeSync(this.#descriptor, text);
    } catch {
      this.#truncated = true;
    }
  }
}

import { closeSync, openSync, writeSync } from 'node:fs';
import { LineSplitter } from './lineSplitter.ts';
import type { OutputVerdict, StepOutput } from './stepOutput.ts';
import { TailBuffer } from './tailBuffer.ts';
import type { Transcript } from './transcript.ts';

const headBytes = 2 * 1024 * 1024;
const tailBytes = 2 * 1024 * 1024;
const maxLine = 64 * 1024;

/**
 * Writes what a check prints to `output.log`, redacted: its head as it comes, and of what is longer the tail at
 * the end, with a line between them that says how much is missing. Lines of the head go to the transcript too.
 */
export class CheckOutput implements StepOutput {
  readonly waiting = undefined;
  readonly #descriptor: number;
  readonly #transcript: Transcript;
  readonly #redact: (text: string) => string;
  readonly #out = new LineSplitter(maxLine);
  readonly #err = new LineSplitter(maxLine);
  #room = headBytes;
  #tail: TailBuffer | undefined;
  #lost = false;

  constructor(file: string, transcript: Transcript, redact: (text: string) => string) {
    this.#descriptor = openSync(file, 'w', 0o600);
    this.#transcript = transcript;
    this.#redact = redact;
  }

  stdout(chunk: Uint8Array): void {
    this.#take(this.#out, chunk);
  }

  stderr(chunk: Uint8Array): void {
    this.#take(this.#err, chunk);
  }

  end(): OutputVerdict {
    this.#show([...this.#out.end(), ...this.#err.end()]);
    if (this.#tail) {
      this.#append(tailText(this.#tail, this.#redact));
    }
    closeSync(this.#descriptor);
    const truncated = (this.#tail?.dropped ?? 0) > 0 || this.#lost || this.#out.cut || this.#err.cut;
    return { ok: true, truncated };
  }

  #take(splitter: LineSplitter, chunk: Uint8Array): void {
    if (this.#tail) {
      this.#tail.push(chunk);
      return;
    }
    this.#show(splitter.push(chunk));
    if (this.#room <= 0) {
      this.#tail = new TailBuffer(tailBytes);
      this.#tail.push(this.#err.takeRest());
      this.#tail.push(this.#out.takeRest());
      this.#transcript.note('There is much output; the rest is kept in output.log only.');
    }
  }

  /** Redacts lines together, because some secrets are longer than one. */
  #show(lines: string[]): void {
    if (lines.length === 0) {
      return;
    }
    const text = this.#redact(lines.join('\n'));
    this.#append(text + '\n');
    this.#room -= Buffer.byteLength(text) + 1;
    this.#transcript.write(...text.split('\n').map((line) => ({ kind: 'output' as const, text: line })));
  }

  #append(text: string): void {
    try {
      writeSync(this.#descriptor, text);
    } catch {
      this.#lost = true;
    }
  }
}

/** The kept end of a long output; begins with a whole line when anything before it is missing. */
function tailText(tail: TailBuffer, redact: (text: string) => string): string {
  const text = tail.bytes().toString('utf8');
  if (tail.dropped === 0) {
    return redact(text);
  }
  const whole = text.slice(text.indexOf('\n') + 1);
  return `[… ${tail.dropped} bytes are left out here …]\n${redact(whole)}`;
}

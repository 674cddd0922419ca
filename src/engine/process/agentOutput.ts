import { stripVTControlCharacters } from 'node:util';
import { describeDenied } from '../../core/accounts/refusal.ts';
import { describeWaiting, type Waiting } from '../../core/lanes/waiting.ts';
import type { AgentKind, AgentSignal } from '../agents/agentKind.ts';
import type { AccountSignals } from './accountSignals.ts';
import type { AgentWatch } from './agentWatch.ts';
import { LineSplitter } from './lineSplitter.ts';
import type { OutputVerdict, StepOutput } from './stepOutput.ts';
import type { Transcript } from './transcript.ts';

const maxStreamLine = 4 * 1024 * 1024;
const maxErrorLine = 64 * 1024;
const maxResultBytes = 64 * 1024;

/** Reads an agent's stream with its kind's parser; the last result record decides. */
export class AgentOutput implements StepOutput {
  readonly #parseLine: (line: string) => AgentSignal[];
  readonly #parseErrorLine: (line: string) => AgentSignal[];
  readonly #transcript: Transcript;
  readonly #redact: (text: string) => string;
  readonly #account: AccountSignals;
  readonly #watch: AgentWatch;
  readonly #stream = new LineSplitter(maxStreamLine);
  readonly #errors = new LineSplitter(maxErrorLine);
  #session: string | undefined;
  #result: Extract<AgentSignal, { type: 'result' }> | undefined;
  /** What the agent said last: the answer, where the success record has no text of its own. */
  #lastText = '';
  #lastError = '';

  constructor(
    kind: AgentKind,
    parts: {
      transcript: Transcript;
      redact: (text: string) => string;
      account: AccountSignals;
      watch: AgentWatch;
    },
  ) {
    this.#parseLine = kind.openStream?.() ?? ((line) => kind.parseLine(line));
    this.#parseErrorLine = kind.openErrorStream?.() ?? ((line) => kind.parseErrorLine?.(line) ?? []);
    this.#transcript = parts.transcript;
    this.#redact = parts.redact;
    this.#account = parts.account;
    this.#watch = parts.watch;
  }

  get waiting(): Waiting | undefined {
    const { waiting } = this.#watch;
    return waiting && { ...waiting, message: this.#redact(waiting.message) };
  }

  stdout(chunk: Uint8Array): void {
    this.#readStream(this.#stream.push(chunk));
  }

  stderr(chunk: Uint8Array): void {
    this.#readErrors(this.#errors.push(chunk));
  }

  end(): OutputVerdict {
    this.#readStream(this.#stream.end());
    this.#readErrors(this.#errors.end());
    const text = this.#redact(this.#result ? this.#result.text || this.#lastText : '');
    const shown = truncateUtf8(text, maxResultBytes);
    const told = firstLine(text) || firstLine(this.#redact(this.#lastError));
    const missing = this.#result ? '' : 'its stream has no success record';
    const denied = this.#result?.denied?.map(this.#redact);
    return {
      ok: this.#result?.ok ?? false,
      message: [missing, told, denied && describeDenied(denied)].filter(Boolean).join('; '),
      ...(this.#result && { result_text: shown }),
      ...(this.#result?.usage && { usage: this.#result.usage }),
      ...(denied && { denied }),
      ...(this.#session !== undefined && { session_id: this.#redact(this.#session) }),
      truncated:
        this.#transcript.truncated || this.#stream.cut || this.#errors.cut || shown.length < text.length,
    };
  }

  #readStream(lines: string[]): void {
    const signals = lines.flatMap((line) => this.#parse(line));
    this.#transcript.write(...signals.flatMap((signal) => this.#collect(signal)));
  }

  #parse(line: string): AgentSignal[] {
    try {
      return this.#parseLine(line);
    } catch {
      return [outputLine(line)];
    }
  }

  #collect(signal: AgentSignal): Progress[] {
    this.#account.take(signal);
    this.#watch.take(signal);
    switch (signal.type) {
      case 'progress':
        if (signal.line.kind === 'text') this.#lastText = signal.line.text.trim() || this.#lastText;
        return [signal.line];
      case 'session':
        this.#session = signal.id;
        return [];
      case 'result':
        this.#result = signal;
        return [];
      case 'waiting':
        return [{ kind: 'note', text: describeWaiting(signal) }];
      case 'limit':
      case 'refused':
      case 'windows':
        return [];
    }
  }

  /** Every line is shown as it is; by itself none is a sign that the agent goes on. */
  #readErrors(lines: string[]): void {
    for (const line of lines.filter((each) => each.trim() !== '')) {
      this.#lastError = line;
      this.#transcript.write({ kind: 'output', text: line });
      this.#transcript.write(...this.#parseError(line).flatMap((signal) => this.#collect(signal)));
    }
  }

  #parseError(line: string): AgentSignal[] {
    try {
      return this.#parseErrorLine(line);
    } catch {
      return [];
    }
  }
}

type Progress = Extract<AgentSignal, { type: 'progress' }>['line'];

function outputLine(text: string): AgentSignal {
  return { type: 'progress', line: { kind: 'output', text } };
}

/** As a person reads it: no colours, and nothing else that a terminal would obey. */
function firstLine(text: string): string {
  const plain = stripVTControlCharacters(text).replaceAll(/[^\P{Cc}\n\t]/gu, '');
  return plain.trim().split('\n', 1)[0]?.slice(0, 500) ?? '';
}

/** The longest start of a text within a number of bytes, never ending within a character. */
function truncateUtf8(text: string, maxBytes: number): string {
  const bytes = Buffer.from(text);
  return bytes.length <= maxBytes ? text : bytes.toString('utf8', 0, maxBytes).replace(/\uFFFD$/, '');
}

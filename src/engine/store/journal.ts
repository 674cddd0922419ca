import { existsSync } from 'node:fs';
import { open, readFile, rename, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { AgentKitError, messageOf } from '../../core/agentKitError.ts';
import { syncFolder } from './atomicFile.ts';
import { inSlices } from './inSlices.ts';
import {
  runEventBodySchema,
  runEventStampSchema,
  type RunEvent,
  type RunEventBody,
} from '../../core/run/runEvent.ts';

interface JournalText {
  events: RunEvent[];
  /** Bytes of all whole lines. */
  whole: number;
  /** How many whole lines there are. */
  lines: number;
  /** Bytes of a last line that never got its newline. */
  torn: number;
}

/** Reads the whole lines of a journal; a torn last line is left out, as its event never counted. */
export async function readJournal(file: string): Promise<JournalText> {
  return parseJournal(file, await readFile(file), 1);
}

/** The same for what comes after some of its whole lines: so many bytes, and so many lines. */
export async function readJournalAfter(
  file: string,
  { bytes, lines }: { bytes: number; lines: number },
): Promise<JournalText> {
  const handle = await open(file, 'r');
  try {
    const { size } = await handle.stat();
    const buffer = Buffer.alloc(Math.max(0, size - bytes));
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, bytes);
    return await parseJournal(file, buffer.subarray(0, bytesRead), lines + 1);
  } finally {
    await handle.close();
  }
}

async function parseJournal(file: string, bytes: Buffer, first: number): Promise<JournalText> {
  const whole = bytes.lastIndexOf(0x0a) + 1;
  const lines = bytes.subarray(0, whole).toString('utf8').split('\n').slice(0, -1);
  const events: RunEvent[] = [];
  await inSlices(lines, (line, index) => {
    const event = parseLine(file, line, first + index);
    if (event !== undefined) events.push(event);
  });
  return { events, whole, lines: lines.length, torn: bytes.length - whole };
}

/** Body and stamp apart: as one schema they would take many times as long, and a journal may have 100,000 lines. */
function parseLine(file: string, line: string, number: number): RunEvent | undefined {
  const value = parseJson(line);
  // A torn line that was ended later: the event after it says so.
  if (value === undefined) return undefined;
  const [body, stamp] = [runEventBodySchema.safeParse(value), runEventStampSchema.safeParse(value)];
  if (body.success && stamp.success) return { ...stamp.data, ...body.data };
  throw new AgentKitError(
    'invalid_input',
    `${file}:${number} holds an event that this version does not know. Was the run made by a newer AgentKit?`,
  );
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

/**
 * The append-only journal of a run, in the hands of its one owner. Events are on disk, synced, before
 * `append` resolves; a write by anybody else is noticed before the next append.
 */
export class Journal {
  #file: string;
  readonly #now: () => Date;
  #seq: number;
  #size: number;
  #torn: number;
  #queue: Promise<unknown> = Promise.resolve();
  #failure: AgentKitError | undefined;

  private constructor(file: string, now: () => Date, text: JournalText) {
    this.#file = file;
    this.#now = now;
    this.#seq = text.events.at(-1)?.seq ?? 0;
    this.#size = text.whole + text.torn;
    this.#torn = text.torn;
  }

  /**
   * Makes a journal that begins with these events: it is there with them or not at all, whenever this process dies.
   * Call it as the run's owner. @throws AgentKitError `conflict` when there is one
   */
  static async create(
    file: string,
    now: () => Date,
    first: readonly RunEventBody[],
  ): Promise<{ journal: Journal; events: RunEvent[] }> {
    if (existsSync(file)) throw new AgentKitError('conflict', `${file} is there already.`);
    const draft = `${file}.new`;
    await (await open(draft, 'w', 0o600)).close();
    const journal = new Journal(draft, now, { events: [], whole: 0, lines: 0, torn: 0 });
    const events = await journal.append(first);
    await rename(draft, file);
    await syncFolder(dirname(file));
    journal.#file = file;
    return { journal, events };
  }

  static async openExisting(
    file: string,
    now: () => Date,
  ): Promise<{ journal: Journal; events: RunEvent[] }> {
    const text = await readJournal(file);
    return { journal: new Journal(file, now, text), events: text.events };
  }

  /**
   * Appends events in order, in one write. @throws AgentKitError `conflict` when somebody else wrote, `internal` when it
   * cannot be written, and from then on
   */
  append(bodies: readonly RunEventBody[]): Promise<RunEvent[]> {
    const result = this.#queue.then(() => this.#write(bodies));
    this.#queue = result.catch(() => undefined);
    return result;
  }

  async #write(bodies: readonly RunEventBody[]): Promise<RunEvent[]> {
    // How much of its last write is there it does not know; whoever opens the journal next does.
    if (this.#failure !== undefined) throw this.#failure;
    const { size } = await stat(this.#file);
    if (size !== this.#size) {
      throw new AgentKitError(
        'conflict',
        `Another process wrote to ${this.#file}; this one no longer owns the run.`,
      );
    }
    const torn: RunEventBody[] = this.#torn > 0 ? [{ type: 'tail.torn', bytes: this.#torn }] : [];
    const at = this.#now().toISOString();
    const events = [...torn, ...bodies].map((body, index): RunEvent => ({
      seq: this.#seq + index + 1,
      at,
      ...body,
    }));
    const text = (this.#torn > 0 ? '\n' : '') + events.map((event) => `${JSON.stringify(event)}\n`).join('');
    await this.#append(text);
    this.#seq += events.length;
    this.#size += Buffer.byteLength(text);
    this.#torn = 0;
    return events;
  }

  async #append(text: string): Promise<void> {
    try {
      const handle = await open(this.#file, 'a');
      try {
        await handle.appendFile(text);
        await handle.sync();
      } finally {
        await handle.close();
      }
    } catch (error) {
      const cure =
        'Free space there or make it writable, then resume the run; agents that run go on meanwhile.';
      this.#failure = new AgentKitError(
        'internal',
        `${this.#file} cannot be written: ${messageOf(error)}. ${cure}`,
        { cause: error },
      );
      throw this.#failure;
    }
  }
}

import { randomUUID } from 'node:crypto';
import { appendFileSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { AgentKitError } from '../../core/agentKitError.ts';
import { stepSchema, type DemoStep } from './demoScript.ts';
import { demoSessionFolder } from './demoSessions.ts';
import { readRecord } from './readRecord.ts';

const recordSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('session'), id: z.string() }),
  z.object({ type: z.literal('told'), steps: z.array(stepSchema) }),
  z.object({ type: z.literal('done') }),
]);
type DemoRecord = z.output<typeof recordSchema>;

/** What the demo agent was told in a session and has done of it, in a file of its account that only grows. */
export class DemoSession {
  readonly id: string;
  /** Steps of what it was told last, split by whether it has done them. */
  readonly done: readonly DemoStep[];
  readonly left: readonly DemoStep[];
  readonly #file: string | null;

  /**
   * @param profile Folder of the account; empty: there is none, and nothing is kept.
   * @param resume Id of the session to go on with.
   * @throws AgentKitError `not_found` when there is no such session
   */
  constructor(profile: string, resume: string | undefined) {
    this.id = resume ?? randomUUID();
    const folder = demoSessionFolder(profile);
    this.#file = profile === '' ? null : join(folder, `${this.id}.jsonl`);
    const records = resume === undefined ? [] : this.#read();
    const at = records.findLastIndex(({ type }) => type === 'told');
    const told = records[at];
    const steps = told?.type === 'told' ? told.steps : [];
    const count = records.slice(at).filter(({ type }) => type === 'done').length;
    this.done = steps.slice(0, count);
    this.left = steps.slice(count);
    if (resume === undefined && this.#file !== null) {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      this.#append({ type: 'session', id: this.id });
    }
  }

  tell(steps: readonly DemoStep[]): void {
    this.#append({ type: 'told', steps: [...steps] });
  }

  /** The next of the steps it was told is done. */
  markDone(): void {
    this.#append({ type: 'done' });
  }

  #read(): DemoRecord[] {
    try {
      if (this.#file === null || !/^[0-9a-f-]{36}$/.test(this.id)) throw new Error('There is none');
      const text = readFileSync(this.#file, 'utf8');
      // What a crash tore ends here, so that it takes nothing with it that comes after.
      if (!text.endsWith('\n')) appendFileSync(this.#file, '\n');
      return text.split('\n').flatMap((line) => readRecord(recordSchema, line) ?? []);
    } catch (cause) {
      throw new AgentKitError('not_found', `This account has no session ${this.id}`, { cause });
    }
  }

  #append(record: DemoRecord): void {
    if (this.#file !== null) appendFileSync(this.#file, `${JSON.stringify(record)}\n`, { mode: 0o600 });
  }
}

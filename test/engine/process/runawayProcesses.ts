import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ProcessIdentity } from '../../../src/core/run/processIdentity.ts';
import { isAlive } from '../../../src/engine/process/identity.ts';
import { findOrphans } from '../../../src/engine/process/orphans.ts';
import { kill, StepFixture, untilDead } from './stepFixture.ts';

/** Stays, asked to end or not. */
export const stays = 'setInterval(() => {}, 60_000);';
export const stubborn = `process.on('SIGTERM', () => {}); ${stays}`;

/** A folder of runs, with processes that nobody watches and that descend from nobody here. */
export class Runaways {
  readonly fixture = new StepFixture();
  readonly runsFolder = join(this.fixture.root, 'runs');
  /** Where its scripts lie, as if they were the built programs. */
  readonly dist = this.fixture.root;
  readonly #known: ProcessIdentity[] = [];
  #count = 0;

  constructor() {
    mkdirSync(join(this.runsFolder, 'run1'), { recursive: true });
    writeFileSync(join(this.runsFolder, 'run1', 'journal.jsonl'), '');
  }

  /** The folder of a step of `run1`. */
  step(path: string): string {
    return join(this.runsFolder, 'run1', 'lanes', path);
  }

  write(file: string, text: string): string {
    const path = join(this.fixture.root, file);
    writeFileSync(path, text);
    return path;
  }

  read(file: string): string {
    return readFileSync(join(this.fixture.root, file), 'utf8');
  }

  /** Code that tells this fixture who runs it; used as the first of a program. */
  tellsPid(): { code: string; file: string } {
    const file = `pid-${(this.#count += 1)}`;
    return { code: `require('fs').writeFileSync('${file}', String(process.pid));`, file };
  }

  async known(file: string): Promise<ProcessIdentity> {
    const identity = await this.fixture.processIn(file);
    this.#known.push(identity);
    return identity;
  }

  /** Starts a program with a mark, in a session of its own and without a parent; in a script of this name if there is one. */
  async away(
    mark: string,
    code: string,
    { script, step = this.step('any') }: { script?: string; step?: string } = {},
  ): Promise<ProcessIdentity> {
    const { code: tell, file } = this.tellsPid();
    const program = `${tell} ${code}`;
    const args = script === undefined ? ['-e', program] : [this.write(script, program)];
    spawnSync(
      '/bin/sh',
      ['-c', 'setsid "$0" "$@" > /dev/null 2>&1 < /dev/null &', process.execPath, ...args],
      {
        cwd: this.fixture.root,
        env: { ...process.env, AGENTKIT_ATTEMPT: mark, AGENTKIT_STEP: step },
      },
    );
    return this.known(file);
  }

  /** Ends everything, so that the next test finds nothing of this one. */
  async end(): Promise<void> {
    const living = [...this.#known, ...(await findOrphans(this))].filter(isAlive);
    living.forEach(({ pid }) => kill(pid));
    await Promise.all(living.map((each) => untilDead(each)));
    // Those that were spared had something to spare.
    if (living.length > 0) await this.end();
  }
}

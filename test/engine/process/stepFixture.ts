import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { ProcessIdentity } from '../../../src/core/run/processIdentity.ts';
import { withheldNames } from '../../../src/engine/process/childEnvironment.ts';
import { isAlive, processIdentity } from '../../../src/engine/process/identity.ts';
import type { Launch, StepResult, TranscriptLine } from '../../../src/engine/process/launch.ts';
import { platform } from '../../../src/engine/process/platform/platform.ts';
import { readStep, startStep } from '../../../src/engine/process/steps.ts';
import { stepFiles } from '../../../src/engine/store/paths.ts';
import { makeSourceDist } from './sourceDist.ts';

/** A temporary place, awkwardly named, in which real steps run; `close` ends everything they left. */
export class StepFixture {
  readonly root = mkdtempSync(join(tmpdir(), "agentkit it's ü "));
  readonly dist = makeSourceDist(this.root);
  readonly environment: Record<string, string | undefined> = { PATH: process.env['PATH'], HOME: this.root };
  #steps = 0;
  readonly #folders: string[] = [];

  /** A folder for a new step. */
  folder(): string {
    const folder = join(this.root, 'run', `step-${(this.#steps += 1)}`);
    this.#folders.push(folder);
    return folder;
  }

  launch(change: Partial<Launch> & Pick<Launch, 'argv'>): Launch {
    return {
      version: 1,
      role: 'check',
      cwd: this.root,
      env: {},
      withheld: withheldNames(this.environment),
      stdin_file: null,
      timeout_s: 60,
      ...change,
    };
  }

  /** A launch of a JavaScript program. */
  script(code: string, change: Partial<Launch> = {}): Launch {
    return this.launch({ argv: [process.execPath, '-e', code], ...change });
  }

  async start(launch: Launch, folder = this.folder()): Promise<string> {
    await startStep({
      folder,
      launch,
      node: process.execPath,
      dist: this.dist,
      environment: this.environment,
    });
    return folder;
  }

  async run(launch: Launch, folder = this.folder()): Promise<StepResult> {
    await this.start(launch, folder);
    return this.result(folder);
  }

  async result(folder: string, limitMs = 30_000): Promise<StepResult> {
    return poll(`the result of ${folder}`, limitMs, async () => {
      const step = await readStep(folder);
      assert.notEqual(step.state, 'lost', `${folder} is lost: ${read(stepFiles(folder).supervisorLog)}`);
      return step.result;
    });
  }

  transcript(folder: string): TranscriptLine[] {
    return read(stepFiles(folder).transcript)
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as TranscriptLine);
  }

  /** Identity of a process whose id a test program wrote to a file below the root. */
  async processIn(file: string): Promise<ProcessIdentity> {
    const pid = await poll(
      `a process id in ${file}`,
      20_000,
      () => Number(read(join(this.root, file))) || undefined,
    );
    const identity = processIdentity(pid);
    assert.ok(identity, `process ${pid} of ${file} does not live`);
    return identity;
  }

  close(): void {
    const marks = platform
      .list()
      .filter((entry) => this.#folders.includes(platform.variable(entry.pid, 'AGENTKIT_ATTEMPT') ?? ''));
    marks.forEach((entry) => kill(entry.pid));
    rmSync(this.root, { recursive: true, force: true, maxRetries: 5 });
  }
}

export function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
}

export async function untilDead(identity: ProcessIdentity, limitMs = 10_000): Promise<void> {
  await poll(`the end of process ${identity.pid}`, limitMs, () => !isAlive(identity) || undefined);
}

/** Asks again and again until there is an answer. */
export async function poll<T>(
  what: string,
  limitMs: number,
  ask: () => T | undefined | Promise<T | undefined>,
): Promise<T> {
  const deadline = performance.now() + limitMs;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined) {
      return answer;
    }
    assert.ok(performance.now() < deadline, `waited ${limitMs} ms in vain for ${what}`);
    await wait(20);
  }
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

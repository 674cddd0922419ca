import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { stringify } from 'yaml';
import { createAgentKit, type AgentKit } from '../../../src/engine/agentKit.ts';
import { makeSourceDist } from '../process/sourceDist.ts';

/** What a test says of a job; the rest of the plan is filled in. */
export interface JobOf {
  id: string;
  /** Steps of the embedded demo agent. */
  steps: unknown[];
  paths?: string[];
  [key: string]: unknown;
}

const committer = ['-c', 'user.name=Test', '-c', 'user.email=test@example.invalid'];

/** A real repository with a real gate, demo accounts and an environment that leaves the user's home alone. */
export class DemoWorld {
  readonly root = realpathSync(mkdtempSync(join(tmpdir(), "agentkit it's ü ")));
  readonly repo = join(this.root, 'repo');
  readonly dist: string;
  readonly environment: Record<string, string | undefined>;
  readonly #kits: AgentKit[] = [];

  /** @param dist Built programs, which begin faster; from their sources when left out. */
  constructor(accounts: readonly string[] = ['one', 'two', 'three'], dist?: string) {
    this.dist = dist ?? makeSourceDist(this.root);
    const { PATH } = process.env;
    this.environment = {
      PATH,
      HOME: join(this.root, 'home'),
      AGENTKIT_PROFILES_DIR: join(this.root, 'profiles'),
      XDG_STATE_HOME: join(this.root, 'state'),
    };
    for (const name of accounts) this.setUsage(name, 20);
    mkdirSync(this.repo);
    this.git('init', '--quiet', '-b', 'main');
    this.git('config', 'user.name', 'Test');
    this.git('config', 'user.email', 'test@example.invalid');
    this.write('app.txt', 'start\n');
    this.write('check.sh', '#!/bin/sh\n! grep -rn BROKEN --include=*.txt .\n');
    this.git('add', '.');
    this.git('commit', '--quiet', '-m', 'start');
  }

  /** Sets how much of the 5-hour window an account has used, in percent. */
  setUsage(name: string, used: number, more: object = {}): void {
    const folder = join(this.root, 'profiles', 'demo', name);
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const usage = { plan: 'demo', windows: [{ id: '5h', used_pct: used, resets_in_s: 3600 }], ...more };
    writeFileSync(join(folder, 'usage.json'), JSON.stringify(usage));
  }

  /** Has an account know nothing of its conversations any more. */
  forgetSessions(name: string): void {
    rmSync(join(this.root, 'profiles', 'demo', name, 'sessions'), { recursive: true });
  }

  write(file: string, text: string): void {
    mkdirSync(dirname(join(this.repo, file)), { recursive: true });
    writeFileSync(join(this.repo, file), text);
  }

  /** Output of git in the main checkout, without the last newline. */
  git(...args: string[]): string {
    return execFileSync('git', [...committer, ...args], { cwd: this.repo, encoding: 'utf8' }).replace(
      /\n$/,
      '',
    );
  }

  /** Text of a plan with these jobs. */
  plan(jobs: readonly JobOf[], more: object = {}): string {
    return stringify({
      version: 1,
      name: 'test',
      gate: [{ name: 'check', run: 'sh check.sh', timeout: 30 }],
      jobs: jobs.map(({ steps, ...job }) => ({
        kind: 'demo',
        paths: [`${job.id}.txt`],
        prompt: `Do ${job.id}.\n\n\`\`\`demo\n${stringify(steps)}\`\`\`\n`,
        ...job,
      })),
      ...more,
    });
  }

  async kit(head: 'editor' | 'ak' = 'ak'): Promise<AgentKit> {
    const { repo: folder, dist, environment } = this;
    const kit = await createAgentKit({ folder, head, node: process.execPath, dist, environment });
    this.#kits.push(kit);
    return kit;
  }

  async dispose(): Promise<void> {
    await Promise.all(this.#kits.map((kit) => kit.dispose()));
    rmSync(this.root, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** The step that writes a lane's own file. */
export function writes(file: string, content = `${file}\n`): unknown {
  return { write: { path: file, content } };
}

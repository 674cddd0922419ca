import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DemoWorld } from '../conductor/demoWorld.ts';

const ak = join(import.meta.dirname, '..', '..', '..', 'dist', 'ak.js');

export interface Ended {
  code: number | null;
  out: string;
  err: string;
}

/** A world in which the built `ak` runs as a shell sees it, with a home and a folder for stand-ins of vendors' CLIs. */
export class AkWorld extends DemoWorld {
  readonly home = this.environment['HOME'] ?? '';
  readonly bin = join(this.root, 'stand-in clis');

  constructor(accounts?: readonly string[]) {
    super(accounts);
    for (const folder of [this.home, this.bin]) mkdirSync(folder, { mode: 0o700 });
    this.environment['PATH'] = `${this.bin}:${process.env['PATH']}`;
    this.environment['IS_SANDBOX'] = '1';
  }

  /** Command line of `ak`. */
  argv(...args: string[]): string[] {
    return [process.execPath, ak, ...args];
  }

  env(more: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
    return { ...this.environment, ...more };
  }

  /** Puts a shell script on PATH in the place of a vendor's CLI. */
  standIn(name: string, script: string): void {
    writeFileSync(join(this.bin, name), `#!/bin/sh\n# A stand-in.\n${script}\n`);
    chmodSync(join(this.bin, name), 0o755);
  }

  run(args: readonly string[], more: NodeJS.ProcessEnv = {}, cwd = this.repo): Ended {
    const [command = '', ...rest] = this.argv(...args);
    const ended = spawnSync(command, rest, { cwd, env: this.env(more), encoding: 'utf8' });
    return { code: ended.status, out: ended.stdout, err: ended.stderr };
  }

  /** Answer of a call with --json: exactly one object on stdout, with this exit code. */
  answer(args: readonly string[], code: number, more?: NodeJS.ProcessEnv): Record<string, unknown> {
    const ended = this.run([...args, '--json'], more);
    assert.equal(ended.code, code, ended.err + ended.out);
    assert.equal(ended.out.trimEnd().split('\n').length, 1, ended.out);
    const value = JSON.parse(ended.out) as Record<string, unknown>;
    assert.equal(value['interface'], 1);
    return value;
  }

  /** Reason and message of a call with --json that fails with this exit code. */
  failure(args: readonly string[], code: number, more?: NodeJS.ProcessEnv): string {
    const value = this.answer(args, code, more);
    assert.equal(value['schema'], 'error-v1');
    const { reason, message } = value['error'] as { reason: string; message: string };
    return `${reason}: ${message}`;
  }
}

import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AgentKind, Profile } from '../../../../src/engine/agents/agentKind.ts';
import { createCodexKind } from '../../../../src/engine/agents/codex/codex.ts';

const standIn = fileURLToPath(new URL('standInCodex.ts', import.meta.url));

/** A profile and a stand-in for `codex` that is found on PATH. */
export class CodexHome {
  readonly root = mkdtempSync(join(tmpdir(), "agentkit codex's ü "));
  readonly profile: Profile = { kind: 'codex', name: '@one', folder: join(this.root, 'profile') };
  readonly own: Profile = { kind: 'codex', name: '@default', folder: null };
  readonly environment: Record<string, string>;
  readonly codex: AgentKind;

  constructor() {
    const bin = join(this.root, 'bin');
    mkdirSync(join(this.root, 'profile'));
    mkdirSync(bin);
    const words = [process.execPath, standIn, this.root].map((word) => `'${word.replaceAll("'", `'\\''`)}'`);
    writeFileSync(join(bin, 'codex'), `#!/bin/sh\nexec ${words.join(' ')} "$@"\n`);
    chmodSync(join(bin, 'codex'), 0o755);
    this.environment = {
      PATH: bin,
      HOME: this.root,
      CODEX_HOME: '/somebody/elses',
      CODEX_API_KEY: 'sk-1',
      OPENAI_API_KEY: 'sk-2',
    };
    this.codex = createCodexKind({ environment: this.environment });
  }

  behave(behaviour: object): void {
    rmSync(join(this.root, 'stand-in.log'), { force: true });
    writeFileSync(join(this.root, 'stand-in.json'), JSON.stringify(behaviour));
  }

  /** How it was asked since it was told how to behave. */
  log(): Record<string, unknown>[] {
    const file = join(this.root, 'stand-in.log');
    const lines = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
    return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  }

  close(): void {
    rmSync(this.root, { recursive: true });
  }
}

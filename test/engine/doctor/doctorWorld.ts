import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createKinds } from '../../../src/engine/agents/kinds.ts';
import { examine, type DoctorReport, type ExaminedMachine } from '../../../src/engine/doctor/examine.ts';

/** A home and stand-ins for vendors' CLIs; what is said of a healthy machine changes test by test. */
export class DoctorWorld {
  readonly root = realpathSync(mkdtempSync(join(tmpdir(), "agentkit it's doctor ")));
  readonly home = join(this.root, 'home');
  readonly bin = join(this.root, 'stand-in clis');
  readonly log = join(this.root, 'calls.log');
  readonly environment: Record<string, string>;

  constructor() {
    mkdirSync(this.home, { mode: 0o700 });
    mkdirSync(this.bin);
    this.environment = { HOME: this.home, PATH: `${this.bin}:${process.env['PATH']}`, IS_SANDBOX: '1' };
  }

  /** Puts a shell script on PATH, which writes down where it ran and how. */
  standIn(name: string, script: string): void {
    const file = join(this.bin, name);
    writeFileSync(
      file,
      `#!/bin/sh\necho "$(ls -A | wc -l) $*" >> '${this.log.replaceAll("'", `'\\''`)}'\n${script}\n`,
    );
    chmodSync(file, 0o755);
  }

  /** A stand-in for Claude Code whose accounts are logged in where their folder has a `login`, under that name. */
  claude(version = '2.1.332'): void {
    this.standIn(
      'claude',
      `[ "$1" = --version ] && { echo "${version} (stand-in)"; exit; }
       login="$(cat "\${CLAUDE_CONFIG_DIR:-$HOME}/login" 2>/dev/null)" || { echo '{"loggedIn":false}'; exit 1; }
       echo "{\\"loggedIn\\":true,\\"authMethod\\":\\"claude.ai\\",\\"email\\":\\"$login\\",\\"orgId\\":\\"org\\"}"`,
    );
  }

  /** Makes a profile; with a login when it is named. */
  profile(kind: string, name: string, login?: string): string {
    const folder = join(this.home, '.local', 'share', 'agentkit', 'profiles', kind, name);
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    if (login !== undefined) writeFileSync(join(folder, 'login'), login);
    return folder;
  }

  /** Writes a file below the home, for its owner alone. */
  write(path: string, text: string): string {
    const file = join(this.home, path);
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(file, text, { mode: 0o600 });
    return file;
  }

  examine(more: Partial<ExaminedMachine> = {}): Promise<DoctorReport> {
    const { environment } = this;
    return examine({
      kinds: createKinds({
        node: process.execPath,
        dist: '/nowhere',
        environment: more.environment ?? environment,
      }),
      environment,
      folder: this.root,
      nodeVersion: '24.1.0',
      system: join(this.root, 'no system'),
      userId: process.getuid?.(),
      ...more,
    });
  }

  /** What is wrong, as a person reads it. */
  async problems(more: Partial<ExaminedMachine> = {}): Promise<string[]> {
    return told(await this.examine(more), 'problem');
  }

  /** How the stand-ins were called: how many files their folder had, and their arguments. */
  calls(): string[] {
    return readFileSync(this.log, 'utf8').trimEnd().split('\n');
  }

  dispose(): void {
    rmSync(this.root, { recursive: true, force: true });
  }
}

export function told({ findings }: DoctorReport, severity: 'problem' | 'note'): string[] {
  return findings
    .filter((each) => each.severity === severity)
    .map(({ message, cure }) => (cure === null ? message : `${message}: ${cure}`));
}

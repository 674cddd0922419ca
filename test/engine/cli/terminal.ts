import { spawn } from 'node:child_process';
import { quoteForShell } from '../../../src/engine/agents/quoteForShell.ts';
import { poll } from '../process/stepFixture.ts';

/** A command that runs in a terminal of its own, as `script` of util-linux makes one. */
export interface Terminal {
  /** Everything it has shown. */
  shown(): string;
  /** Waits until it shows this. */
  shows(pattern: RegExp): Promise<void>;
  /** Types; `\u0003` is Ctrl+C. */
  type(keys: string): void;
  /** Exit code of the command, and all that it showed. */
  ended: Promise<{ code: number | null; shown: string }>;
  /** Closes the terminal under it. */
  close(): void;
  pid: number;
}

export function openTerminal(
  argv: readonly string[],
  { cwd, env }: { cwd: string; env: NodeJS.ProcessEnv },
): Terminal {
  const command = argv.map(quoteForShell).join(' ');
  const args = [
    '--quiet',
    '--return',
    '--flush',
    '--echo',
    'never',
    '--command',
    `exec ${command}`,
    '/dev/null',
  ];
  const child = spawn('script', args, { cwd, env: { ...env, SHELL: '/bin/sh', TERM: 'xterm' } });
  let shown = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (shown += text));
  const ended = new Promise<{ code: number | null; shown: string }>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, shown }));
  });
  return {
    shown: () => shown,
    shows: async (pattern) => {
      await poll(`${pattern} in a terminal`, 20_000, () => pattern.test(shown) || undefined).catch(
        (error) => {
          throw new Error(`It shows:\n${shown}`, { cause: error });
        },
      );
    },
    type: (keys) => child.stdin.write(keys),
    ended,
    close: () => child.kill('SIGKILL'),
    pid: child.pid ?? 0,
  };
}

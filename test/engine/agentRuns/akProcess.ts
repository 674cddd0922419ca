import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { AgentRunAnswer } from '../../../src/engine/createAgentRuns.ts';

/** The built `ak`. */
export const ak = join(import.meta.dirname, '..', '..', '..', 'dist', 'ak.js');

export interface Ended {
  code: number | null;
  out: string;
  err: string;
}

/** An `ak run` at work. */
export interface Working {
  child: ChildProcess;
  said: () => string;
  ended: Promise<Ended>;
}

/** Starts the built `ak` as a shell would. */
export function beginAk(
  args: readonly string[],
  options: { cwd: string; env: Record<string, string | undefined>; input?: string | Buffer | undefined },
): Working {
  const { cwd, env, input = '' } = options;
  const child = spawn(process.execPath, [ak, ...args], { cwd, env });
  let [out, err] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
  // Whoever refuses its input early closes the pipe.
  child.stdin.on('error', () => undefined).end(input);
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, out, err }));
  return { child, said: () => err, ended };
}

/** Exactly one object, and nothing else. */
export function answerOf({ code, out, err }: Ended): AgentRunAnswer {
  assert.equal(out.split('\n').length, 2, `stdout: ${out}\nstderr: ${err}`);
  const answer = JSON.parse(out) as AgentRunAnswer & { interface: number; schema: string };
  assert.equal(answer.interface, 1);
  if (answer.schema === 'run-v1') assert.equal(answer.exit, code);
  return { ...answer, exit: code ?? -1 };
}

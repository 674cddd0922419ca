import { setTimeout as wait } from 'node:timers/promises';
import { messageOf } from '../../core/agentKitError.ts';
import type { StepFiles } from '../store/paths.ts';
import type { Launch, StepResult } from './launch.ts';
import { platform } from './platform/platform.ts';
import { ProcessTree } from './processTree.ts';
import { recordProcesses } from './processRecord.ts';
import { StallWatch } from './stallWatch.ts';
import { startChild, type Child } from './startChild.ts';
import type { StatusFile } from './statusFile.ts';
import type { OutputVerdict, StepOutput } from './stepOutput.ts';
import type { Transcript } from './transcript.ts';
import type { StopWatch } from './watchForStop.ts';

/** How a process went; the caller adds the times. */
export type StepEnd = Omit<StepResult, 'started_at' | 'ended_at' | 'duration_s'>;

export interface StepParts {
  launch: Launch;
  files: StepFiles;
  /** What the process gets, complete. */
  environment: Record<string, string>;
  mark: string;
  status: StatusFile;
  transcript: Transcript;
  output: StepOutput;
  stop: StopWatch;
}

const noteMs = 2_000;
/** How long this process may get its signal after the other one has ended by it. */
const shutdownMs = 2_000;
/** How long pipes may stay open after everything of ours has ended. */
const drainMs = 2_000;

/** Starts a process, watches it to its end, and ends whatever it leaves behind. Never rejects for what it did. */
export async function runStep(parts: StepParts): Promise<StepEnd> {
  const { launch, stop } = parts;
  if (stop.cause) {
    return { ...stop.cause, exit: null, truncated: false };
  }
  let child: Child;
  try {
    child = await startChild(launch, parts.environment);
  } catch (error) {
    return { outcome: 'failed', exit: null, not_started: true, message: messageOf(error), truncated: false };
  }
  const tree = new ProcessTree(child.pid, parts.mark);
  try {
    return await watchChild(child, tree, parts);
  } catch (error) {
    await tree.end();
    throw error;
  }
}

async function watchChild(child: Child, tree: ProcessTree, parts: StepParts): Promise<StepEnd> {
  const { launch, status, transcript, output, stop } = parts;
  const note = () => {
    if (tree.note()) {
      void recordProcesses(parts.files.processes, { group: child.pid, mark: parts.mark, noted: tree.noted });
    }
  };
  note();
  const noting = setInterval(note, noteMs);
  status.update({ state: 'running', child_pid: child.pid, last_activity_at: new Date().toISOString() });
  const stall = new StallWatch({
    afterS: launch.stall_after_s,
    cpuS: () => cpuOf(tree),
    waits: () => output.waiting !== undefined,
    onChange: (since) => status.update({ stalled_since: since }),
  });
  const drained = drain(child, output, () => {
    stall.spoke();
    status.update({
      last_activity_at: new Date().toISOString(),
      activity: transcript.last?.slice(0, 200) ?? null,
      waiting: output.waiting,
    });
  });
  await Promise.race([child.ended, stop.stopped]);
  stall.close();
  clearInterval(noting);
  const askedFirst = stop.cause;
  await tree.end();
  const { exit, signal } = await child.ended;
  const cause = askedFirst ?? (wasToldToEnd(exit, signal) ? await stoppedToo(stop) : null);
  await Promise.race([drained, wait(drainMs, undefined, { ref: false })]);
  child.stdout.destroy();
  child.stderr.destroy();
  const verdict = output.end();
  const strays = tree.strays();
  for (const pid of strays) {
    transcript.note(
      `Process ${pid} carries the mark of this attempt and is still running; it was left alone.`,
    );
  }
  const end = cause ? { ...verdictFields(verdict), ...cause, exit } : judge(exit, signal, verdict);
  return { ...end, ...(signal && { signal }), ...(strays.length > 0 && { strays }) };
}

/** By a signal that reached it, or the program in its shell. */
function wasToldToEnd(exit: number | null, signal: NodeJS.Signals | null): boolean {
  return signal !== null || [128 + 1, 128 + 2, 128 + 15].includes(exit ?? 0);
}

/** A machine that shuts down ends the process and this one at once, in any order: then nothing is said of the work. */
async function stoppedToo(stop: StopWatch): Promise<StopWatch['cause']> {
  await Promise.race([stop.stopped, wait(shutdownMs, undefined, { ref: false })]);
  return stop.cause?.outcome === 'stopped' ? stop.cause : null;
}

function cpuOf(tree: ProcessTree): number {
  const usage = platform.usage(tree.noted.map(({ pid }) => pid));
  return [...usage.values()].reduce((sum, { cpuS }) => sum + cpuS, 0);
}

/** Exit code 0 and a success record, both; a signal is never a success. */
function judge(exit: number | null, signal: NodeJS.Signals | null, verdict: OutputVerdict): StepEnd {
  if (exit === 0 && verdict.ok) {
    return { ...verdictFields(verdict), outcome: 'succeeded', exit };
  }
  const how = signal ? `Ended by signal ${signal}` : `Ended with exit code ${exit}`;
  const message = verdict.message ? `${how}: ${verdict.message}` : how;
  return { ...verdictFields(verdict), outcome: 'failed', exit, message };
}

function verdictFields({ ok: _ok, message: _message, ...fields }: OutputVerdict) {
  return fields;
}

/** Hands all output on as it comes; a reader that is slower than the process slows the process. */
async function drain(child: Child, output: StepOutput, onActivity: () => void): Promise<void> {
  const read = (stream: Child['stdout'], take: (chunk: Uint8Array) => void) =>
    new Promise<void>((resolve) => {
      stream.on('data', (chunk: Uint8Array) => {
        take(chunk);
        onActivity();
      });
      stream.once('close', resolve).once('error', resolve);
    });
  await Promise.all([
    read(child.stdout, (chunk) => output.stdout(chunk)),
    read(child.stderr, (chunk) => output.stderr(chunk)),
  ]);
}

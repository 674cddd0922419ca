import { formatSeconds } from '../../core/gates/formatSeconds.ts';
import { stripAnsi } from '../../core/gates/stripAnsi.ts';
import { readTail } from '../agents/readTail.ts';
import type { Launch, StepResult } from '../process/launch.ts';
import { stepFiles } from '../store/paths.ts';

const shownLines = 8;
const shownChars = 800;

/**
 * Why a command of a setup or teardown did not succeed, with the last of what it printed; undefined when it did.
 * @param folder Of the step, where the whole of its output is.
 */
export async function setupFailure(
  folder: string,
  { role, command }: { role: Launch['role']; command: string },
  result: StepResult,
  timeoutS: number,
): Promise<string | undefined> {
  if (result.outcome === 'succeeded') return undefined;
  const last = lastLines(await readTail(stepFiles(folder).output).catch(nothingPrinted));
  return `${role} \`${command}\` ${howItEnded(result, timeoutS)}${last === '' ? '' : `: ${last}`}`;
}

function howItEnded({ outcome, exit, not_started, message = '' }: StepResult, timeoutS: number): string {
  if (not_started) return `did not start: ${message}`;
  if (outcome === 'timeout') return `did not end within ${formatSeconds(timeoutS)}`;
  if (outcome === 'stopped') return 'was stopped';
  return exit === null ? `failed (${message})` : `failed with exit ${exit}`;
}

function lastLines({ text }: { text: string }): string {
  const lines = stripAnsi(text)
    .split('\n')
    // Progress bars write over themselves.
    .map((line) => line.slice(line.lastIndexOf('\r') + 1).trimEnd())
    .filter((line) => line !== '');
  const shown = lines.slice(-shownLines).join('\n');
  return shown.length > shownChars ? `…${shown.slice(-shownChars)}` : shown;
}

/** A step that did not start has no output. */
function nothingPrinted(error: NodeJS.ErrnoException): { text: string } {
  if (error.code === 'ENOENT') return { text: '' };
  throw error;
}

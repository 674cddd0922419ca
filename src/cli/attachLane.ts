import { AgentKitError } from '../core/agentKitError.ts';
import type { LaneView } from '../core/lanes/laneView.ts';
import type { AgentKit, TranscriptLine } from '../engine/agentKit.ts';
import { paint, progressLine } from './progressLine.ts';

/** Time in which a second Ctrl+C counts as the answer to the first, in milliseconds. */
const doubleTime = 2000;

/**
 * Prints a lane's transcript live. Ctrl+C once says what a second one does; twice asks to stop the lane. With `stay`
 * it keeps its terminal open at the end until Enter, so that what was printed can be read.
 */
export async function attachLane(kit: AgentKit, lane: string, stay: boolean): Promise<void> {
  // It only shows: begun in the lane, it would be somebody at work there, and keep the lane from being taken away.
  process.chdir(kit.repository.root);
  const abort = new AbortController();
  let last = -Infinity;
  const onInterrupt = () => {
    const now = performance.now();
    if (now - last > doubleTime) {
      last = now;
      process.stderr.write('\nCtrl+C again stops the lane; closing this terminal stops nothing.\n');
      return;
    }
    void stopLane(kit, lane).finally(() => {
      abort.abort();
    });
  };
  process.on('SIGINT', onInterrupt);
  try {
    await kit.follow(lane, print, abort.signal);
    const view = await kit.findLane(lane);
    process.stdout.write(`${dim(`— ${endOf(view)} —`)}\n`);
  } finally {
    process.off('SIGINT', onInterrupt);
  }
  if (stay) await untilEnter();
}

/** The run's owner learns of the end later than we do; until then the lane's state is news of before. */
function endOf({ lane, state }: LaneView): string {
  return state === 'running' ? 'attempt ended; the gate is next' : `attempt ended; lane ${lane} is ${state}`;
}

/** Ctrl+C and a closed terminal end it too. */
async function untilEnter(): Promise<void> {
  process.stdout.write(`${dim('Press Enter to close this terminal.')}\n`);
  await new Promise<void>((resolve) => {
    process.once('SIGINT', () => resolve());
    process.stdin.once('data', () => resolve()).once('end', () => resolve());
  });
  process.stdin.destroy();
}

async function stopLane(kit: AgentKit, lane: string): Promise<void> {
  const { run, lane: id } = await kit.findLane(lane);
  const answer = await kit.request(run, { do: 'stopLane', lane: id });
  if (!answer.ok) throw new AgentKitError('refused', answer.message);
}

function print(line: TranscriptLine): void {
  process.stdout.write(`${progressLine(line, process.stdout.isTTY)}\n`);
}

function dim(text: string): string {
  return paint('2', text, process.stdout.isTTY);
}

import { AgentKitError } from '../core/agentKitError.ts';
import type { LaneView } from '../core/lanes/laneView.ts';
import type { AgentKit, TranscriptLine } from '../engine/agentKit.ts';
import { printable } from './printable.ts';

/** Time in which a second Ctrl+C counts as the answer to the first, in milliseconds. */
const doubleTime = 2000;

const colours: Record<TranscriptLine['kind'], string> = {
  text: '',
  output: '',
  tool: '36',
  note: '2',
  error: '31',
};

/**
 * Prints a lane's transcript live. Ctrl+C once says what a second one does; twice asks to stop the lane. With `stay`
 * it keeps its terminal open at the end until Enter, so that what was printed can be read.
 */
export async function attachLane(kit: AgentKit, lane: string, stay: boolean): Promise<void> {
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
    process.stdout.write(`${paint('2', `— ${endOf(view)} —`)}\n`);
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
  process.stdout.write(`${paint('2', 'Press Enter to close this terminal.')}\n`);
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
  const colour = colours[line.kind];
  const mark = line.kind === 'tool' ? '› ' : '';
  process.stdout.write(`${paint(colour, mark + printable(line.text))}\n`);
}

function paint(colour: string, text: string): string {
  return colour === '' || !process.stdout.isTTY ? text : `\u001b[${colour}m${text}\u001b[0m`;
}

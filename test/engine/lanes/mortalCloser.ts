// Discards a lane as `ak lane discard` does, restores or adopts one, and kills itself at one append of the journal.
// Arguments: JSON {repo, dist, lane, restores, adopts, die: {event, when}}; the environment is the world's.
import { createAgentKit } from '../../../src/engine/agentKit.ts';
import { Journal } from '../../../src/engine/store/journal.ts';

interface Orders {
  repo: string;
  dist: string;
  lane: string;
  /** Its newest rescue is restored instead. */
  restores?: boolean;
  /** Its worktree is adopted instead. */
  adopts?: boolean;
  die: { event: string; when: 'before' | 'after' };
}

const {
  repo,
  dist,
  lane,
  restores = false,
  adopts = false,
  die,
} = JSON.parse(process.argv[2] ?? '') as Orders;
// Called below with the journal as `this`.
const append = Object.getOwnPropertyDescriptor(Journal.prototype, 'append')?.value as Journal['append'];
Journal.prototype.append = async function (this: Journal, bodies) {
  const dies = bodies.some(({ type }) => type === die.event);
  if (dies && die.when === 'before') process.kill(process.pid, 'SIGKILL');
  const events = await append.call(this, bodies);
  if (dies) process.kill(process.pid, 'SIGKILL');
  return events;
};

const environment = process.env;
// In an editor's window the commands of the repository are allowed.
const head = adopts ? 'editor' : 'ak';
const kit = await createAgentKit({ folder: repo, head, node: process.execPath, dist, environment });
if (adopts) await kit.lanes.adopt([lane]);
else await (restores ? kit.lanes.restore(lane) : kit.lanes.discard(lane));
await kit.dispose();

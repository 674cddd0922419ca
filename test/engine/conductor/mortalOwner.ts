// Owns a run like `ak orchestrate start` followed by a merge, and kills itself at one append of the journal.
// Arguments: JSON {repo, dist, plan, lane, die: {append, when}, head?}; the environment is the world's.
import { createAgentKit } from '../../../src/engine/agentKit.ts';
import { Journal } from '../../../src/engine/store/journal.ts';

interface Orders {
  repo: string;
  dist: string;
  plan: string;
  lane: string;
  /** Dies at this append, counted from 1 over the whole run; 0 lives on. */
  die: { append: number; when: 'before' | 'after' };
  /** `ak` when left out. */
  head?: 'editor';
}

const orders = JSON.parse(process.argv[2] ?? '') as Orders;
let appends = 0;
// Called below with the journal as `this`.
const append = Object.getOwnPropertyDescriptor(Journal.prototype, 'append')?.value as Journal['append'];
Journal.prototype.append = async function (this: Journal, bodies) {
  appends += 1;
  const dies = appends === orders.die.append;
  if (dies && orders.die.when === 'before') process.kill(process.pid, 'SIGKILL');
  const events = await append.call(this, bodies);
  if (dies) process.kill(process.pid, 'SIGKILL');
  return events;
};

const kit = await createAgentKit({
  folder: orders.repo,
  head: orders.head ?? 'ak',
  node: process.execPath,
  dist: orders.dist,
  environment: process.env,
});
const { run, atRest } = await kit.startRun({ text: orders.plan });
await atRest;
await kit.request(run, { do: 'merge', lane: orders.lane });
await kit.dispose();
process.stdout.write(String(appends));

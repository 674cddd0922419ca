// Has the gate of a lane by hand run, or starts a plan, and kills itself at one append of the journal.
// Arguments: JSON {repo, dist, gates, plan, die}; the environment is the world's.
import { createAgentKit } from '../../../src/engine/agentKit.ts';
import { Journal } from '../../../src/engine/store/journal.ts';

export type AskerOrders = {
  repo: string;
  dist: string;
  /** Dies after the append of such an event. */
  die: string;
  /** The lane whose gate is asked for, or the text of a plan. */
} & ({ gates: string } | { plan: string });

const orders = JSON.parse(process.argv[2] ?? '') as AskerOrders;
const { repo, dist, die } = orders;
// Called below with the journal as `this`.
const append = Object.getOwnPropertyDescriptor(Journal.prototype, 'append')?.value as Journal['append'];
Journal.prototype.append = async function (this: Journal, bodies) {
  const events = await append.call(this, bodies);
  if (bodies.some(({ type }) => type === die)) process.kill(process.pid, 'SIGKILL');
  return events;
};

const environment = process.env;
const kit = await createAgentKit({ folder: repo, head: 'ak', node: process.execPath, dist, environment });
if ('gates' in orders) await kit.request('manual', { do: 'gate', lane: orders.gates });
else await (await kit.startRun({ text: orders.plan })).atRest;
await kit.dispose();

// Plays one of the scenarios as a person would, and kills itself once before and once after each kind of event is
// appended. Whoever is started next goes on with the same scenario.
// Arguments: JSON {repo, root, dist, scenario, visited, every}; the environment is the world's.
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { createAgentKit } from '../../../src/engine/agentKit.ts';
import type { RunEventBody } from '../../../src/core/run/runEvent.ts';
import { Journal } from '../../../src/engine/store/journal.ts';
import { scenarios, tornNow, type ScenarioName } from './killedScenarios.ts';

export interface PersonOrders {
  repo: string;
  root: string;
  dist: string;
  scenario: ScenarioName;
  /** File with the deaths that were died, one a line; null lives on. */
  visited: string | null;
  /** Dies around every event of every lane, instead of the first of each kind. */
  every: boolean;
}

const orders = JSON.parse(process.argv[2] ?? '') as PersonOrders;

function dieOnce(when: 'before' | 'after', bodies: readonly RunEventBody[]): void {
  const { visited, every } = orders;
  if (visited === null) return;
  const died = new Set(existsSync(visited) ? readFileSync(visited, 'utf8').split('\n') : []);
  const kinds = every ? undefined : scenarios[orders.scenario].only;
  const counted = bodies.filter(({ type }) => kinds?.includes(type) ?? true);
  const names = counted.map((body) => (every && 'lane' in body ? `${body.type} ${body.lane}` : body.type));
  const fresh = names.map((name) => `${when} ${name}`).filter((death) => !died.has(death));
  if (fresh.length === 0) return;
  appendFileSync(visited, fresh.map((death) => `${death}\n`).join(''));
  process.kill(process.pid, 'SIGKILL');
}

// Called below with the journal as `this`.
const append = Object.getOwnPropertyDescriptor(Journal.prototype, 'append')?.value as Journal['append'];
Journal.prototype.append = async function (this: Journal, bodies) {
  dieOnce('before', tornNow() ? [{ type: 'tail.torn', bytes: 1 }, ...bodies] : bodies);
  const events = await append.call(this, bodies);
  // The first event counts once the journal has its name.
  if (events[0]?.type !== 'run.created') dieOnce('after', events);
  return events;
};
const create = Journal.create.bind(Journal);
Journal.create = async (...given) => {
  const made = await create(...given);
  dieOnce('after', made.events);
  return made;
};

const { repo, root, dist, scenario } = orders;
const kit = await createAgentKit({
  folder: repo,
  head: 'editor',
  node: process.execPath,
  dist,
  environment: process.env,
});
await scenarios[scenario].act({ kit, repo, root });
await kit.dispose();

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runEventBodySchema } from '../../../src/core/run/runEvent.ts';
import { buildPrograms } from './buildPrograms.ts';
import { DemoWorld } from './demoWorld.ts';
import { endOf, rescuesOf } from './endOf.ts';
import type { PersonOrders } from './killedPerson.ts';
import { scenarios, type ScenarioName } from './killedScenarios.ts';

/** With it, owners die around every event of every lane instead of the first of each kind. */
const every = process.env['AGENTKIT_EVERY_KILL'] === '1';
const names = Object.keys(scenarios) as ScenarioName[];
const events = runEventBodySchema.options.map(({ shape }) => shape.type.value);

/** Owners are killed one after the other, once before and once after each event; whoever is next goes on. */
describe('runs whose owners are killed around the events of their journals', function () {
  this.timeout(every ? 1_800_000 : 300_000);
  const died = new Set<string>();

  /** Plays the scenario until it is over. Resolves to whether it was killed instead. */
  function play(world: DemoWorld, orders: Pick<PersonOrders, 'scenario' | 'visited'>): Promise<boolean> {
    const { repo, root } = world;
    const env = { ...world.environment, NODE_COMPILE_CACHE: join(dist, 'compiled') };
    const text = JSON.stringify({ repo, root, dist, every, ...orders } satisfies PersonOrders);
    return new Promise((resolve, reject) => {
      execFile(process.execPath, [person, text], { env, timeout: 240_000 }, (error, _stdout, stderr) => {
        // What is over in time exits by itself; a timeout ends it by SIGTERM.
        if (error !== null && error.signal !== 'SIGKILL') reject(new Error(stderr, { cause: error }));
        else resolve(error !== null);
      });
    });
  }

  interface End {
    end: unknown;
    rescues: string[];
  }

  async function playCalmly(scenario: ScenarioName): Promise<End> {
    const world = new DemoWorld([]);
    try {
      scenarios[scenario].prepare(world);
      await play(world, { scenario, visited: null });
      return { end: await endOf(world), rescues: await rescuesOf(world) };
    } finally {
      await world.dispose();
    }
  }

  async function playKilled(scenario: ScenarioName): Promise<End> {
    const world = new DemoWorld([]);
    const visited = join(world.root, 'visited');
    try {
      scenarios[scenario].prepare(world);
      while (await play(world, { scenario, visited }));
      return { end: await endOf(world), rescues: await rescuesOf(world) };
    } catch (error) {
      const runs = join(world.repo, '.git', 'agentkit', 'runs');
      const journals = existsSync(runs)
        ? readdirSync(runs).map((run) => readFileSync(join(runs, run, 'journal.jsonl'), 'utf8'))
        : [];
      const last = existsSync(visited) ? readFileSync(visited, 'utf8').trim().split('\n').at(-1) : 'none';
      throw new Error(`after a death ${last}:\n${journals.join('\n')}`, { cause: error });
    } finally {
      if (existsSync(visited))
        for (const death of readFileSync(visited, 'utf8').trim().split('\n')) died.add(death);
      await world.dispose();
    }
  }

  let dist: string;
  let person: string;
  const ends = new Map<ScenarioName, Promise<{ calm: End; killed: End }>>();
  before(() => {
    dist = mkdtempSync(join(tmpdir(), 'agentkit programs '));
    person = buildPrograms(dist, join(import.meta.dirname, 'killedPerson.ts'));
    for (const scenario of names) {
      const both = playCalmly(scenario).then(async (calm) => ({ calm, killed: await playKilled(scenario) }));
      both.catch(() => undefined);
      ends.set(scenario, both);
    }
  });

  after(() => rmSync(dist, { recursive: true, force: true }));

  for (const scenario of names) {
    it(`come to the end of the undisturbed one, and nothing is done twice: ${scenario}`, async () => {
      const both = await ends.get(scenario);
      assert.deepEqual(both?.killed.end, both?.calm.end);
    });

    it(`keep of each lane what the undisturbed one keeps, byte for byte: ${scenario}`, async () => {
      const { calm, killed } = (await ends.get(scenario)) ?? { calm: null, killed: null };
      assert.deepEqual(new Set(killed?.rescues), new Set(calm?.rescues));
      // An owner that died before it could tell of a rescue leaves one more that holds the same; it is listed too.
      const more = (killed?.rescues.length ?? 0) - (calm?.rescues.length ?? 0);
      assert.ok(every || (more >= 0 && more <= 1), `${more} more rescues`);
    });
  }

  it('were killed before and after every kind of event', () => {
    const kinds = new Set([...died].map((death) => death.split(' ').slice(0, 2).join(' ')));
    const missed = events.flatMap((event) => [`before ${event}`, `after ${event}`]);
    assert.deepEqual(
      missed.filter((death) => !kinds.has(death)),
      [],
    );
  });
});

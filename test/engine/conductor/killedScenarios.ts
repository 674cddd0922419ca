import { execFileSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AgentKit } from '../../../src/engine/agentKit.ts';
import type { LaneView } from '../../../src/core/lanes/laneView.ts';
import type { RunEvent } from '../../../src/core/run/runEvent.ts';
import { poll } from '../process/stepFixture.ts';
import { writes, type DemoWorld } from './demoWorld.ts';

interface Place {
  kit: AgentKit;
  repo: string;
  root: string;
}

/** What a person does, told so that anybody can go on with it at any point. */
interface Scenario {
  /** The only kinds of events around which owners die in it, unless they die around every one. */
  only?: readonly RunEvent['type'][];
  prepare(world: DemoWorld): void;
  act(place: Place): Promise<void>;
}

export type ScenarioName = 'work' | 'stop' | 'wait' | 'hand';

const patience = 60_000;
let torn: string | undefined;

/** Whether the journal of the run ends in the middle of a line now. */
export function tornNow(): boolean {
  return torn !== undefined && !readFileSync(torn, 'utf8').endsWith('\n');
}

function gitIn(repo: string, ...args: string[]): string {
  return execFileSync('git', args, { cwd: repo, encoding: 'utf8' }).trim();
}

async function eventsOf(kit: AgentKit, run: string): Promise<RunEvent[]> {
  const { folder } = await kit.readRun(run);
  const lines = readFileSync(join(folder, 'journal.jsonl'), 'utf8').split('\n');
  return lines.flatMap((line) => {
    try {
      return [JSON.parse(line) as RunEvent];
    } catch {
      return [];
    }
  });
}

/** Whether it happened already, to this lane if one is named. */
async function saw(kit: AgentKit, run: string, type: RunEvent['type'], lane?: string): Promise<boolean> {
  const events = await eventsOf(kit, run);
  return events.some((event) => event.type === type && (!lane || ('lane' in event && event.lane === lane)));
}

function until(kit: AgentKit, lane: string, is: (view: LaneView) => boolean): Promise<LaneView> {
  return poll(`lane ${lane}`, patience, async () => {
    const view = await kit.findLane(lane);
    return is(view) ? view : undefined;
  });
}

/** The run of the scenario, owned by this process: found and resumed, or started. */
async function runOf({ kit, root }: Place, retry = false) {
  const [known] = (await kit.listRuns()).runs;
  if (known === undefined) return kit.startRun({ text: readFileSync(join(root, 'plan.yaml'), 'utf8') });
  return kit.resumeRun(known.run, { retry });
}

/** Tells the agent what it asked for; only once, for it takes the answer away. */
function answerIn(path: string | null, root: string): void {
  const answered = join(root, 'answered');
  if (existsSync(answered)) return;
  writeFileSync(answered, '');
  writeFileSync(join(path ?? '', 'answer'), '');
}

const ask = { ask: { for: 'question', text: 'Which?', answer: 'answer' } };
const limitAtOne = { limit: { accounts: ['@one'], resets_in_s: 3600 } };

/** What each command leaves beside the repository, so that it can be counted; the same text in every world. */
function count(what: string): string {
  return `echo ${what} >> "$HOME/../counted"`;
}

function countOf(root: string, what: string): number {
  const counted = readFileSync(join(root, 'counted'), 'utf8');
  return counted.split('\n').filter((word) => word === what).length;
}

function settings(world: DemoWorld): void {
  mkdirSync(join(world.root, 'home'));
  world.write(
    'agentkit.yaml',
    JSON.stringify({
      version: 1,
      gate: [{ name: 'check', run: count('gate') }],
      worktree: {
        setup: [count('setup')],
        teardown: [count('teardown')],
        ports: { PORT: '46100-46400' },
      },
    }),
  );
  world.git('add', 'agentkit.yaml');
  world.git('commit', '--quiet', '-m', 'settings');
}

function plan(world: DemoWorld, jobs: Parameters<DemoWorld['plan']>[0], more: object): void {
  const run = `${count('gate')}; while test -e "$HOME/../hold"; do sleep 0.05; done`;
  const text = world.plan(jobs, { gate: [{ name: 'check', run, timeout: 60 }], ...more });
  writeFileSync(join(world.root, 'plan.yaml'), text);
}

/** Has the lane merged and the merge stopped while its gate runs. */
async function stopMerge({ kit, root }: Place, run: string): Promise<void> {
  const hold = join(root, 'hold');
  const refused = () => saw(kit, run, 'merge.refused');
  if (!(await refused())) {
    writeFileSync(hold, '');
    const { state } = await kit.findLane('ask');
    const merging = state === 'merging' ? undefined : kit.request(run, { do: 'merge', lane: 'ask' });
    await poll('a merge under way', patience, async () => {
      const { state, merge_gate } = await kit.findLane('ask');
      // Its second gate, after the lane's own, once its command runs.
      const runs = merge_gate.status === 'running' && countOf(root, 'gate') === 2;
      return (state === 'merging' && runs) || (await refused()) || undefined;
    });
    if (!(await refused())) await kit.request(run, { do: 'stopLane', lane: 'ask' });
    await merging;
    await until(kit, 'ask', ({ state }) => state === 'ready');
  }
  rmSync(hold, { force: true });
}

export const scenarios: Record<ScenarioName, Scenario> = {
  /** A limit with uncommitted work begins anew elsewhere; a failure is in the way of another; both merge and are removed. */
  work: {
    prepare(world) {
      world.setUsage('one', 5);
      world.setUsage('two', 20);
      settings(world);
      plan(
        world,
        [
          { id: 'lim', steps: [writes('lim.txt', 'half\n'), limitAtOne, writes('lim.txt')] },
          { id: 'bad', steps: [{ exit: 1 }] },
          { id: 'dep', steps: [writes('dep.txt')], depends_on: ['bad'] },
        ],
        { on_limit: 'restart' },
      );
    },
    async act(place) {
      const { kit, repo } = place;
      const { run, atRest } = await runOf(place);
      await atRest;
      if (!gitIn(repo, 'log', '--format=%s').includes('of a person'))
        gitIn(repo, 'commit', '--quiet', '--allow-empty', '-m', 'of a person');
      // Two ask for the same merge at once.
      const merge = { do: 'merge', lane: 'lim' } as const;
      if ((await kit.findLane('lim')).state !== 'merged')
        await Promise.all([kit.request(run, merge), kit.request(run, merge)]);
      if ((await kit.findLane('lim')).removed === null) await kit.request(run, { do: 'remove', lane: 'lim' });
      if ((await kit.findLane('bad')).removed === null) await kit.lanes.discard('bad');
    },
  },
  /** An agent waits, its run is stopped, resumed with a torn journal, answered; its merge is stopped; a locked lane stays. */
  stop: {
    only: [
      'run.stopping',
      'tail.torn',
      'lane.waiting',
      'lane.continued',
      'merge.stopping',
      'merge.refused',
      'lane.kept',
      'run.asks',
    ],
    prepare(world) {
      world.setUsage('one', 5);
      settings(world);
      // It works on for a while, so that it is seen to wait no longer.
      plan(world, [{ id: 'ask', steps: [ask, writes('ask.txt'), { wait: 8 }] }], {});
    },
    async act(place) {
      const { kit, root, repo } = place;
      const { run } = await runOf(place);
      const { folder } = await kit.readRun(run);
      if (!(await saw(kit, run, 'run.stopping'))) {
        await until(kit, 'ask', ({ state }) => state === 'waiting' || state === 'interrupted');
        await kit.request(run, { do: 'stopRun' });
      }
      if (!(await saw(kit, run, 'lane.reopened'))) {
        await (
          await kit.resumeRun(run)
        ).atRest;
        torn = join(folder, 'journal.jsonl');
        if (!(await saw(kit, run, 'tail.torn'))) appendFileSync(torn, '{"seq":');
        await kit.resumeRun(run, { retry: true });
      }
      await until(kit, 'ask', ({ state, path }) => {
        if (state === 'waiting') answerIn(path, root);
        return ['ready', 'merging'].includes(state);
      });
      await stopMerge(place, run);
      if (!(await saw(kit, run, 'lane.kept'))) {
        const { path } = await kit.findLane('ask');
        if (!readFileSync(join(repo, '.git', 'worktrees', 'ask', 'locked'), 'utf8').includes('person')) {
          gitIn(repo, 'worktree', 'unlock', path ?? '');
          gitIn(repo, 'worktree', 'lock', '--reason', 'of a person', path ?? '');
        }
        await kit.lanes.discard('ask');
      }
      if (!(await saw(kit, run, 'run.asks'))) await kit.resumeRun(run, { ask: true });
    },
  },
  /** The only account is at its limit until its window is reset. */
  wait: {
    only: ['lane.postponed'],
    prepare(world) {
      world.setUsage('one', 5);
      settings(world);
      const limit = { limit: { accounts: ['@one'], resets_in_s: 15 } };
      const jobs = [
        { id: 'first', steps: [limit] },
        { id: 'late', steps: [writes('late.txt')] },
      ];
      plan(world, jobs, { when_empty: 'wait' });
    },
    async act(place) {
      await (
        await runOf(place)
      ).atRest;
    },
  },
  /** A lane by hand, which is discarded and restored; and an agent's lane that is told something. */
  hand: {
    prepare(world) {
      world.setUsage('one', 5);
      settings(world);
    },
    async act({ kit }) {
      const standing = (await kit.listRuns()).runs.some(({ run }) => run === 'manual');
      if (standing) await (await kit.resumeRun('manual')).atRest;
      const find = async (lane: string) => kit.findLane(lane).catch(() => undefined);
      if ((await find('mine')) === undefined) await kit.lanes.create(['mine']);
      const mine = await kit.findLane('mine');
      if (mine.rescues.length === 0 && mine.closing === null) {
        writeFileSync(join(mine.path ?? '', 'draft.txt'), 'work of hours\r\n');
        await kit.lanes.discard('mine');
      }
      const { lanes } = await kit.readRun('manual');
      if (!lanes.some(({ lane, state }) => lane === 'mine' && state === 'open'))
        await kit.lanes.restore('mine');
      if (!(await saw(kit, 'manual', 'run.stopping'))) await kit.request('manual', { do: 'stopRun' });
      await (
        await kit.resumeRun('manual')
      ).atRest;
    },
  },
};

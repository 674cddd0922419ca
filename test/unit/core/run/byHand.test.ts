import assert from 'node:assert/strict';
import { decide } from '../../../../src/core/run/decide.ts';
import { fold } from '../../../../src/core/run/fold.ts';
import type { Facts } from '../../../../src/core/run/facts.ts';
import type { RequestBody } from '../../../../src/core/run/request.ts';
import type { RunEventBody } from '../../../../src/core/run/runEvent.ts';
import { setupFolder } from '../../../../src/core/run/stepFolders.ts';
import { toRunView } from '../../../../src/core/run/toRunView.ts';
import { rescued, story } from './events.ts';
import { created, facts, job, plan, stamped } from './samples.ts';

const none = plan([]);
const api = story('api');
const worktree = { branch: 'lane/api', path: '/lanes/api', base: 't0', nonce: 'n' };
const settings = {
  copy: [],
  link: [],
  setup: ['npm ci', 'npm run build'],
  teardown: [],
  ports: {},
  setup_timeout: 60,
};
const own = { gate: none.gate, worktree: settings };
const added: RunEventBody = { type: 'lane.added', lane: 'api', job: job('api'), own, worktree };
const setup = (n = 1): RunEventBody => ({ type: 'setup.started', lane: 'api', setup: n });
const setupEnded = (command: number, outcome: 'succeeded' | 'failed' = 'succeeded', n = 1): RunEventBody => ({
  type: 'setup.ended',
  lane: 'api',
  setup: n,
  command,
  outcome,
  message: 'npm said no',
});
const opened: RunEventBody = { type: 'lane.opened', lane: 'api' };
const made = [added, api.created(), setup(), setupEnded(0), setupEnded(1)];
const gated = [
  api.reopened('verifying'),
  api.settled(),
  api.gateStarted(),
  api.checked('test'),
  api.checked('lint'),
];

function stateOf(...events: RunEventBody[]) {
  return fold(none, stamped([{ ...created([]), standing: true }, ...events]));
}
function decided(events: RunEventBody[], more: Partial<Facts> = {}): string[] {
  return decide(stateOf(...events), facts(more)).flatMap((action) =>
    action.do === 'append' ? action.events.map(({ type }) => type) : [action.do],
  );
}
function answered(events: RunEventBody[], body: RequestBody, more: Partial<Facts> = {}): string {
  const request = { ...body, id: 'q1' };
  const [action] = decide(stateOf(...events), facts({ requests: [request], ...more }));
  const answer = action?.do === 'append' ? action.events.at(-1) : undefined;
  return answer?.type === 'request.answered' ? `${answer.ok}: ${answer.message}` : (action?.do ?? '');
}
const step = (n: number, command: number, state: 'absent' | 'ended' | 'running'): Partial<Facts> => ({
  steps: { [setupFolder('api', n, command)]: { state, stopping: false } },
});

describe('a lane by hand', () => {
  it('is made, set up command by command, and then open, with no agent of ours', () => {
    assert.deepEqual(decided([added]), ['createLane']);
    assert.deepEqual(decided([added, api.created()]), ['startSetup']);
    assert.deepEqual(decided([added, api.created(), setup()], step(1, 0, 'absent')), ['launchStep']);
    assert.deepEqual(decided([added, api.created(), setup()], step(1, 0, 'running')), []);
    assert.deepEqual(decided([added, api.created(), setup()], step(1, 0, 'ended')), ['collectSetup']);
    assert.deepEqual(decided([added, api.created(), setup(), setupEnded(0)], step(1, 1, 'absent')), [
      'launchStep',
    ]);
    assert.deepEqual(decided(made), ['lane.opened']);
    assert.deepEqual(decided([...made, opened]), []);
  });

  it('goes over its gate to its merge', () => {
    assert.match(
      answered([...made, opened], { do: 'gate', lane: 'api' }),
      /^true: The gate of lane api runs/,
    );
    const ready = [...made, opened, ...gated, api.gateEnded()];
    assert.equal(stateOf(...ready).lanes[0]?.state, 'ready');
    assert.equal(answered(ready, { do: 'merge', lane: 'api' }), 'planMerge');
    assert.match(answered([...made, opened], { do: 'merge', lane: 'api' }), /^false: Lane api is open/);
  });

  it('is blocked by a setup that failed, and set up anew when tried again', () => {
    const broken = [added, api.created(), setup(), setupEnded(0, 'failed')];
    assert.deepEqual(stateOf(...broken).lanes[0]?.reasons, ['npm said no']);
    assert.match(answered(broken, { do: 'retry', lane: 'api' }), /^true: Lane api is being made again/);
    const again: RunEventBody = { type: 'lane.reopened', lane: 'api', to: 'preparing', retry: 'q1' };
    assert.deepEqual(decided([...broken, again]), ['createLane']);
    assert.deepEqual(decided([...broken, again, api.created()]), ['startSetup']);
    const second = [...broken, again, api.created(), setup(2)];
    assert.deepEqual(decided(second, step(2, 0, 'absent')), ['launchStep']);
    assert.throws(() => stateOf(...broken, again, api.created(), setup(1)), /is at setup 2, not 1/);
  });

  it('gets no agent when its gate failed: its person is told what to do', () => {
    const failed = [
      ...made,
      opened,
      ...gated.slice(0, 3),
      api.checked('test', 'failed'),
      api.gateEnded('failed'),
    ];
    assert.match(
      answered(failed, { do: 'retry', lane: 'api' }),
      /^false: .*made by hand; work in it.*ak lane gate api/,
    );
    assert.match(answered(failed, { do: 'gate', lane: 'api' }), /^true/);
  });

  it('is made again and set up anew where its folder is gone, and only there', () => {
    const gone = new Set(['api']);
    const retry: RequestBody = { do: 'retry', lane: 'api' };
    const again: RunEventBody = { type: 'lane.reopened', lane: 'api', to: 'preparing', retry: 'q1' };
    const createdAgain = { ...api.created(), again: true } as RunEventBody;
    const ready = [...made, opened, ...gated, api.gateEnded()];
    const failed = [
      ...made,
      opened,
      ...gated.slice(0, 3),
      api.checked('test', 'failed'),
      api.gateEnded('failed'),
    ];
    for (const before of [[...made, opened], ready, failed]) {
      assert.match(answered(before, retry, { gone }), /^true: Lane api is being made again/);
      assert.match(answered(before, retry), /^false: .*made by hand; work in it/);
      assert.deepEqual(decided([...before, again]), ['createLane']);
      assert.deepEqual(decided([...before, again, createdAgain]), ['startSetup']);
      assert.deepEqual(decided([...before, again, api.created()]), ['lane.opened'], 'it was there');
      // Its owner may have died between the rescue and the end of the making.
      assert.deepEqual(decided([...before, again, rescued('api'), api.created()]), ['startSetup']);
    }
  });

  it('brings a run without a branch to merge into the one that is checked out, and no other any more', () => {
    const target = { ref: 'trunk', sha: 't1' };
    const request: RequestBody = { do: 'addLane', lane: 'api', job: job('api'), own, worktree, target };
    const chosen = (ref: string) => {
      const begun = stamped([{ ...created([]), standing: true, target: { ref, sha: 't0' } }]);
      const [action] = decide(fold(none, begun), facts({ requests: [{ ...request, id: 'q1' }] }));
      return action?.do === 'append'
        ? action.events.find((event) => event.type === 'lane.added')?.target
        : null;
    };
    assert.deepEqual(chosen(''), target);
    assert.equal(chosen('main'), undefined);
    assert.deepEqual(stateOf({ ...added, target }).target, target);
  });

  it('is stopped while it is being made', () => {
    assert.match(answered([added], { do: 'stopLane', lane: 'api' }), /^true: It was stopped before/);
  });

  it('belongs to a standing run, under a name that is free', () => {
    const request: RequestBody = { do: 'addLane', lane: 'api', job: job('api'), own, worktree };
    assert.match(answered([], request), /^true: Lane api is being made/);
    assert.match(answered([added], request), /^false: There is a lane api already/);
  });
});

describe('a standing run', () => {
  it('never ends, and goes on after its lanes were stopped', () => {
    assert.deepEqual(decided([]), []);
    assert.deepEqual(decided([...made, opened, ...gated, api.gateEnded()]), []);
    const stopping: RunEventBody = { type: 'run.stopping' };
    assert.deepEqual(decided([added, stopping]), ['lane.blocked']);
    assert.deepEqual(decided([added, api.blocked(), stopping]), ['run.resumed']);
    assert.equal(stateOf(stopping, { type: 'run.resumed' }).status, 'running');
  });

  it('is interrupted only while something is under way and its owner is dead', () => {
    const status = (alive: boolean, ...events: RunEventBody[]) =>
      toRunView(stateOf(...events), {
        folder: '/run',
        owner: { pid: 7, head: 'ak', self: false, alive },
        activity: {},
      }).status;
    assert.equal(status(false), 'done');
    assert.equal(status(false, ...made, opened), 'done');
    assert.equal(status(false, added), 'interrupted');
    assert.equal(status(true, added), 'running');
    const closing: RunEventBody = { type: 'lane.closing', lane: 'api', why: 'discard' };
    assert.equal(status(false, ...made, opened, closing), 'interrupted');
  });
});

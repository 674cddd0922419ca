import assert from 'node:assert/strict';
import type { Action } from '../../../../src/core/run/action.ts';
import { decide } from '../../../../src/core/run/decide.ts';
import type { Facts } from '../../../../src/core/run/facts.ts';
import type { RunEventBody } from '../../../../src/core/run/runEvent.ts';
import { story, way } from './events.ts';
import { account, facts, job, plan, stateAfter } from './samples.ts';

const accounts = [account('demo/@one'), account('demo/@two')];
const stopping: RunEventBody = { type: 'run.stopping' };
const alone = plan([job('api')]);
const two = plan([job('api'), job('docs')]);
const chain = plan([job('api'), job('web', { depends_on: ['api'] }), job('site', { depends_on: ['web'] })]);

function told(actions: readonly Action[]): string[] {
  return actions.flatMap((action) => {
    if (action.do === 'assign') return [`${action.lane} gets ${action.account}`];
    if (action.do === 'readSpend') return [action.do];
    if (action.do !== 'append') return [`${action.do} ${action.lane}`];
    return action.events.map((event) => {
      if (event.type === 'lane.blocked')
        return `${event.lane}: ${event.message}${event.deferred ? ' (resumable)' : ''}`;
      if (event.type === 'lane.reopened') return `${event.lane} is ${event.to} again`;
      return event.type === 'run.ended' ? event.outcome : event.type;
    });
  });
}

function decided(made: typeof alone, before: RunEventBody[], more: Partial<Facts> = {}): string[] {
  const state = stateAfter(made, ...before, { type: 'run.spent', accounts: [] });
  return told(decide(state, facts({ accounts, ...more })));
}

describe('decide', () => {
  it('gives every lane in the queue an account of its own', () => {
    assert.deepEqual(decided(two, []), ['api gets demo/@one', 'docs gets demo/@two']);
    assert.deepEqual(decided(two, [], { accounts: accounts.slice(0, 1) }), ['api gets demo/@one']);
  });

  it('gives no lane an account that another has, even when its lease has lapsed', () => {
    const before = [story('api').assigned(), story('api').created()];
    assert.deepEqual(decided(two, before), ['startAttempt api', 'docs gets demo/@two']);
    assert.deepEqual(decided(two, before, { accounts: accounts.slice(0, 1) }), ['startAttempt api']);
    assert.deepEqual(decided(two, way('api').verifying())[1], 'docs gets demo/@one');
  });

  it('counts what this run holds against the slots of a login, under any name', () => {
    const before = [story('api').assigned(), story('api').created()];
    const wide = [account('demo/@one', { slots: 2, writers: 0 })];
    assert.deepEqual(decided(two, before, { accounts: wide }), ['startAttempt api', 'docs gets demo/@one']);
    const three = plan([...two.jobs, job('site')]);
    assert.deepEqual(decided(three, before, { accounts: wide }), ['startAttempt api', 'docs gets demo/@one']);
    const twins = ['demo/@one', 'demo/@two'].map((name) => account(name, { identity: 'me' }));
    assert.deepEqual(decided(two, before, { accounts: twins }), ['startAttempt api']);
  });

  it('has no more writers than the plan allows', () => {
    const narrow = plan(two.jobs, { concurrency: 1 });
    assert.deepEqual(decided(narrow, []), ['api gets demo/@one']);
    assert.deepEqual(decided(narrow, way('api').running()), []);
    assert.deepEqual(decided(narrow, way('api').ready()), ['docs gets demo/@one']);
  });

  it('blocks a lane that no account can run', () => {
    const [message] = decided(alone, [], { accounts: [] });
    assert.match(message ?? '', /^api: There is no account of kind demo.* \(resumable\)$/);
    const late = [...way('api').running(), story('api').ended('timeout'), story('api').reopened()];
    const [advice] = decided(alone, late, { accounts: [] });
    assert.match(advice ?? '', /^api: It ran out of time \(the agent: timeout\)\. Split the job, .*[^)]$/);
  });

  it('gives nothing out for an owner that came for one request', () => {
    assert.deepEqual(decided(alone, [], { startNew: false }), []);
  });

  describe('dependencies', () => {
    it('lets a job begin only when what it comes after is merged', () => {
      for (const way1 of ['running', 'ready', 'merging'] as const) {
        assert.ok(!decided(chain, way('api')[way1]()).some((each) => each.startsWith('web')), way1);
      }
      assert.deepEqual(decided(chain, way('api').merged()), ['web gets demo/@one']);
    });

    for (const [state, how] of [
      ['failed', 'failed'],
      ['interrupted', 'was interrupted'],
      ['blocked', 'is blocked'],
    ] as const) {
      it(`blocks what comes after a lane that ${how}, with the reason`, () => {
        assert.deepEqual(decided(chain, way('api')[state]()), [`web: It comes after api, which ${how}.`]);
      });
    }

    it('queues it again as soon as that lane is tried again, one after the other', () => {
      const web = blockedAfter('web', 'api');
      const site = blockedAfter('site', 'web');
      const failed = [...way('api').failed(), web, site];
      assert.deepEqual(decided(chain, failed), ['failed']);
      const again = [...failed, story('api').reopened()];
      assert.deepEqual(decided(chain, again), ['web is queued again']);
      assert.deepEqual(decided(chain, [...again, story('web').reopened()]), ['site is queued again']);
    });

    it('has a lane that was stopped before it began follow the one that it comes after', () => {
      const short = plan(chain.jobs.slice(0, 2));
      const stopped = { ...story('web').blocked('The run was stopped.'), deferred: true } as RunEventBody;
      const before = [...way('api').interrupted(), stopped];
      assert.deepEqual(decided(short, before), ['web: It comes after api, which was interrupted.']);
      const follows = [...before, blockedAfter('web', 'api'), story('api').reopened()];
      assert.deepEqual(decided(short, follows), ['web is queued again']);
      assert.deepEqual(decided(short, [...way('api').running(), stopped]), [], 'a person has it go on');
    });

    it('leaves a lane blocked that is blocked for another reason', () => {
      const before = [story('web').blocked('There is no account.'), ...way('api').running()];
      assert.deepEqual(decided(plan(chain.jobs.slice(0, 2)), before), []);
    });
  });

  describe('the end of a run', () => {
    it('is done when every lane is ready or merged', () => {
      assert.deepEqual(decided(two, [...way('api').merged(), ...way('docs').ready()]), ['done']);
    });

    it('is failed when a lane needs a person', () => {
      for (const state of ['failed', 'interrupted', 'blocked'] as const)
        assert.deepEqual(decided(two, [...way('api').ready(), ...way('docs')[state]()]), ['failed'], state);
    });

    it('is stopped when it was stopped before every lane was done', () => {
      assert.deepEqual(decided(alone, [...way('api').interrupted(), stopping]), ['stopped']);
      assert.deepEqual(decided(alone, [...way('api').ready(), stopping]), ['done']);
    });

    it('comes after one reading of what its accounts have left', () => {
      const ready = way('api').ready();
      assert.deepEqual(told(decide(stateAfter(alone, ...ready), facts({ accounts }))), ['readSpend']);
      const never = [story('api').blocked()];
      assert.deepEqual(told(decide(stateAfter(alone, ...never), facts({ accounts }))), ['failed']);
    });

    it('comes once', () => {
      const ended = [...way('api').ready(), { type: 'run.ended', outcome: 'done' } as const];
      assert.deepEqual(decided(alone, ended), []);
    });

    it('waits while something is under way, asked for, or comes after a lane to be merged', () => {
      assert.deepEqual(decided(two, [...way('api').ready(), ...way('docs').running()]), []);
      const merge = { id: 'm1', do: 'merge', lane: 'api' } as const;
      assert.deepEqual(decided(alone, way('api').ready(), { requests: [merge], mayMerge: false }), []);
      assert.deepEqual(decided(chain, way('api').ready()), []);
    });
  });

  describe('a run that is being stopped', () => {
    it('blocks what has not begun', () => {
      assert.deepEqual(decided(two, [story('api').assigned(), stopping]), [
        'api: The run was stopped before its agent began. (resumable)',
        'docs: The run was stopped before it began. (resumable)',
      ]);
    });
  });
});

function blockedAfter(lane: string, after: string): RunEventBody {
  return { type: 'lane.blocked', lane, message: `It comes after ${after}, which failed.`, after };
}

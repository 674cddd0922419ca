import assert from 'node:assert/strict';
import { isWriting } from '../../../../../src/core/run/isWriting.ts';
import { predecessorsOf } from '../../../../../src/core/run/predecessors.ts';
import { isClosed } from '../../../../../src/core/run/fold.ts';
import { attemptFolder, checkFolder, setupFolder } from '../../../../../src/core/run/stepFolders.ts';
import type { Request } from '../../../../../src/core/run/request.ts';
import type { RunEvent } from '../../../../../src/core/run/runEvent.ts';
import { gateOf, worktreeOf } from '../../../../../src/core/run/ownSettings.ts';
import type { LaneRecord, RunState } from '../../../../../src/core/run/runState.ts';
import { laneOf } from '../samples.ts';
import type { World } from './world.ts';

/** What must hold of every append; that each event is allowed, `fold` itself has checked. */
export function checkJournal(
  world: World,
  before: RunState,
  events: readonly RunEvent[],
  after: RunState,
): void {
  const writing = after.lanes.filter(isWriting);
  const accounts = writing.map(({ account }) => account);
  assert.equal(new Set(accounts).size, accounts.length, `one account for two lanes: ${accounts.join(', ')}`);
  assert.ok(writing.length <= (after.plan.concurrency ?? Infinity), 'more lanes than places');
  const merging = after.lanes.filter((lane) => lane.state === 'merging');
  assert.ok(merging.length <= 1, 'two merges at once');
  if (before.status === 'stopping') {
    const kept = after.standing || ['stopping', 'done', 'failed', 'stopped'].includes(after.status);
    assert.ok(kept, 'a stop was forgotten');
  }
  for (const lane of after.lanes) checkReady(world, after, lane);
  for (const event of events) {
    checkUnused(world, event);
    if (event.type === 'gate.started' && event.subject === 'merge') checkSetUp(before, event.lane);
    if (event.type === 'attempt.started') {
      checkOrder(world, after, event.lane);
      const { tried } = laneOf(before, event.lane);
      const isOver = (at?: string) => after.plan.when_empty === 'wait' && at !== undefined && at <= world.now;
      const kept = tried.filter(({ resets_at }) => !isOver(resets_at));
      assert.ok(!kept.some(({ account }) => account === event.account), 'an account was tried twice');
    }
    if (event.type === 'request.answered') {
      assert.ok(!(event.request in before.answers), `request ${event.request} was answered twice`);
      const request = world.requests.find(({ id }) => id === event.request);
      if (event.ok && request !== undefined) checkEffect(world, request, events, after);
    }
  }
}

/** Whatever begins has a folder in which nothing ran before, so that no old result is taken for its own. */
function checkUnused({ processes }: World, event: RunEvent): void {
  const begins =
    event.type === 'attempt.started'
      ? attemptFolder(event.lane, event.attempt)
      : event.type === 'gate.started'
        ? checkFolder(event.lane, event.gate, '')
        : event.type === 'setup.started'
          ? setupFolder(event.lane, event.setup, 0)
          : undefined;
  const used =
    begins === undefined
      ? undefined
      : [...processes.all.keys()].find(
          (each) => each === begins || each.startsWith(`${begins.replace(/\/$/, '')}/`),
        );
  assert.equal(used, undefined, `${event.type} would take up ${used ?? ''}`);
}

/** A merged tree is judged only once everything that its lane was given is there too. */
function checkSetUp(before: RunState, id: string): void {
  const lane = laneOf(before, id);
  const commands = worktreeOf(before, lane)?.setup.length ?? 0;
  assert.equal(lane.merge?.setup?.done ?? 0, commands, `the merged tree of ${id} was not set up`);
}

/** Ready is what its gate truly passed on, every check of it, and beside which nothing changed that nobody has seen. */
function checkReady({ evidence }: World, state: RunState, lane: LaneRecord): void {
  if (!['ready', 'merging', 'merged'].includes(lane.state)) return;
  assert.deepEqual(lane.foreign, [], `${lane.id} is ready in spite of what changed outside of it`);
  assert.equal(lane.gate?.status, 'passed', `${lane.id} is ${lane.state} without its gate`);
  assert.equal(lane.gate?.head, lane.head, `the gate of ${lane.id} passed on another commit`);
  for (const { name } of gateOf(state, lane))
    assert.ok(
      evidence.get(lane.head ?? '')?.has(name),
      `${lane.id} is ready, but ${name} did not pass on ${lane.head ?? ''}`,
    );
}

/** A job begins only when everything it depends on is in the commit that it starts from. */
function checkOrder(world: World, state: RunState, id: string): void {
  const lane = laneOf(state, id);
  for (const before of predecessorsOf(state, lane)) {
    assert.equal(before.state, 'merged', `${id} began before ${before.id} was merged`);
    const commit = before.merge?.made?.commit ?? 'nothing';
    assert.ok(
      world.git.isAncestor(commit, lane.worktree?.base ?? ''),
      `${id} does not stand on ${before.id}`,
    );
  }
}

/** An answer says yes only when what was asked for is done, or is written in the same breath. */
function checkEffect(world: World, request: Request, events: readonly RunEvent[], after: RunState): void {
  switch (request.do) {
    case 'merge':
      assert.equal(laneOf(after, request.lane).state, 'merged', 'said merged, but it is not');
      break;
    case 'discard':
      assert.ok(isClosed(laneOf(after, request.lane)), 'said discarded, but it is not');
      break;
    case 'remove':
      assert.equal(laneOf(after, request.lane).worktree, undefined, 'said removed, but it stands');
      break;
    case 'addLane':
      assert.ok(
        events.some(({ type }) => type === 'lane.added'),
        'said made, but no lane was added',
      );
      break;
    case 'gate':
    case 'retry':
    case 'tell':
      assert.ok(
        events.some(({ type }) => type === 'lane.reopened'),
        `said ${request.do}, but nothing was reopened`,
      );
      break;
    case 'stopLane': {
      const newest = [...world.processes.all.values()].findLast(({ lane }) => lane === request.lane);
      const { state, merge } = laneOf(after, request.lane);
      assert.ok(
        newest?.stopFile === true || state === 'blocked' || merge?.status === 'stopping',
        'said stopped, but nothing was',
      );
      break;
    }
    case 'stopRun':
      assert.notEqual(after.status, 'running', 'said stopped, but it runs');
  }
}

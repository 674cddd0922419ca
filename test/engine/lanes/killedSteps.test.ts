import assert from 'node:assert/strict';
import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { AgentKit } from '../../../src/engine/agentKit.ts';
import type { LaneView } from '../../../src/core/lanes/laneView.ts';
import { isAlive, processIdentity } from '../../../src/engine/process/identity.ts';
import { readStep } from '../../../src/engine/process/steps.ts';
import { poll, untilDead } from '../process/stepFixture.ts';
import { DemoWorld, writes } from '../conductor/demoWorld.ts';

type Role = 'setup' | 'attempt' | 'gate' | 'teardown';
const roles: Role[] = ['setup', 'attempt', 'gate', 'teardown'];
const busy = ['preparing', 'running', 'waiting', 'verifying', 'reviewing', 'merging'];

/** Each process that works for a lane is killed while it works: by itself, and with it whoever supervises it. */
describe('a lane in which a process is killed', function () {
  this.timeout(240_000);
  let world: DemoWorld;
  let kit: AgentKit;

  before(async () => {
    world = new DemoWorld(['one', 'two']);
    const settings = { version: 1, worktree: { setup: [held('setup')], teardown: [held('teardown')] } };
    world.write('agentkit.yaml', JSON.stringify(settings));
    world.git('add', 'agentkit.yaml');
    world.git('commit', '--quiet', '-m', 'settings');
    kit = await world.kit('editor');
  });
  after(() => world.dispose());

  function holdFile(role: Role): string {
    return join(world.root, `hold ${role}`);
  }

  /** A command that goes on for as long as it is held. */
  function held(role: Role): string {
    return `while test -e '${holdFile(role).replaceAll("'", `'\\''`)}'; do sleep 0.1; done`;
  }

  /** The step of that role of the lane, once it runs; its folder is below the run's. */
  async function runningStep(folder: string, lane: string, role: Role) {
    const of = join(folder, 'lanes', lane);
    return poll(`a ${role} of ${lane} that runs`, 60_000, async () => {
      if (!existsSync(of)) return undefined;
      const files = readdirSync(of, { recursive: true, encoding: 'utf8' });
      for (const file of files.filter((each) => each.startsWith(role) && each.endsWith('status.json'))) {
        const step = await readStep(dirname(join(of, file)));
        const child = step.status?.child_pid ?? null;
        const identity = child === null ? null : processIdentity(child);
        if (step.state === 'running' && step.status && identity !== null)
          return { supervisor: step.status.supervisor, child: identity };
      }
      return undefined;
    });
  }

  function settled(lane: string): Promise<LaneView> {
    return poll(`the end of ${lane}`, 60_000, async () => {
      const view = await kit.findLane(lane);
      return busy.includes(view.state) || view.state === 'queued' || view.closing !== null ? undefined : view;
    });
  }

  for (const victim of ['supervisor', 'child'] as const)
    for (const role of roles)
      it(`tells of it, shows nothing as running, and goes on: the ${victim} of its ${role}`, async () => {
        const id = `${role}-${victim}`;
        if (role === 'setup' || role === 'gate') writeFileSync(holdFile(role), '');
        const ask = { ask: { for: 'question', text: 'Which?', answer: 'answer' } };
        const steps = [...(role === 'attempt' ? [ask] : []), writes(`${id}.txt`)];
        const gate = [{ name: 'check', run: held('gate'), timeout: 60 }];
        const { run, atRest } = await kit.startRun({ text: world.plan([{ id, steps }], { gate }) });
        atRest.catch(() => undefined);
        const { folder } = await kit.readRun(run);
        if (role === 'teardown') {
          await settled(id);
          writeFileSync(holdFile(role), '');
        }
        const discard = role === 'teardown' ? kit.lanes.discard(id) : undefined;
        const step = await runningStep(folder, id, role);
        process.kill(step[victim].pid, 'SIGKILL');
        await untilDead(step[victim]);
        if (discard !== undefined) {
          const answer = await discard;
          rmSync(holdFile(role));
          assert.ok(answer.ok, answer.message);
          assert.match(answer.message, /teardown/);
          const view = await kit.findLane(id);
          assert.equal(view.state, 'dropped');
          assert.equal(view.closing, null);
        } else {
          const view = await settled(id);
          assert.ok(['interrupted', 'failed', 'blocked'].includes(view.state), view.state);
          assert.notEqual(view.why_not.join(), '', 'it does not say why');
          assert.ok(view.attempts.every(({ ended_at }) => ended_at !== null));
          assert.ok(view.gate.status !== 'running', 'its gate shows as running');
        }
        // Its result is seen before it has exited.
        await untilDead(step.supervisor);
        assert.equal(isAlive(step.child), false, 'what it started is left');
        rmSync(holdFile(role), { force: true });
        if (discard === undefined) {
          const again = await kit.request(run, { do: role === 'gate' ? 'gate' : 'retry', lane: id });
          assert.ok(again.ok, again.message);
          let answered = false;
          const view = await poll(`lane ${id} that is ready`, 60_000, async () => {
            const now = await kit.findLane(id);
            // The agent takes the answer away; a second one would be a file outside of the job's paths.
            if (now.state === 'waiting' && !answered) writeFileSync(join(now.path ?? '', 'answer'), '');
            answered ||= now.state === 'waiting';
            assert.notEqual(now.state, 'failed', now.why_not.join());
            return now.state === 'ready' ? now : undefined;
          });
          assert.equal(view.attempts.length, role === 'attempt' ? 2 : 1);
        }
      });
});

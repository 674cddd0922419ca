import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LaneView } from '../../../src/core/lanes/laneView.ts';
import { platform } from '../../../src/engine/process/platform/platform.ts';
import { writes } from '../conductor/demoWorld.ts';
import { AkWorld } from './akWorld.ts';

/** The whole life of lanes as a shell sees it. */
describe('ak lane', function () {
  this.timeout(120_000);
  let world: AkWorld;
  before(() => (world = new AkWorld(['one'])));
  after(() => world.dispose());

  const lanesOf = (answer: Record<string, unknown>) => answer['lanes'] as LaneView[];
  const named = (name: string) => lanesOf(world.answer(['lane', 'ls'], 0)).find(({ lane }) => lane === name);

  it('create makes lanes by hand, and refuses a name that cannot be one or is taken', () => {
    const made = lanesOf(world.answer(['lane', 'create', 'mine', 'yours', '--paths', 'src/{a,b}/**'], 0));
    assert.deepEqual(
      made.map(({ lane, run, state, branch, paths }) => [lane, run, state, branch, paths]),
      [
        ['mine', 'manual', 'open', 'lane/mine', ['src/{a,b}/**']],
        ['yours', 'manual', 'open', 'lane/yours', ['src/{a,b}/**']],
      ],
    );
    assert.equal(world.git('-C', made[0]!.path!, 'branch', '--show-current'), 'lane/mine');
    assert.match(world.failure(['lane', 'create', 'Two words'], 2), /"Two words" cannot be a lane/);
    assert.match(world.failure(['lane', 'create', 'mine'], 1), /There is a lane mine already/);
    assert.equal(lanesOf(world.answer(['lane', 'ls'], 0)).length, 2);
  });

  it('adopt refuses what is no worktree of a lost run, and takes one over that is', () => {
    assert.match(
      world.failure(['lane', 'adopt', 'yours'], 3),
      /yours is no worktree whose run is lost; there is none/,
    );
    const runs = join(world.repo, '.git/agentkit/runs/manual');
    renameSync(runs, join(world.root, 'lost'));
    const { kept } = world.answer(['lane', 'clean', '--dry-run'], 1) as { kept: { adoptable?: true }[] };
    assert.deepEqual(
      kept.map(({ adoptable }) => adoptable),
      [true, true],
    );
    const adopted = lanesOf(world.answer(['lane', 'adopt', 'yours'], 0));
    assert.deepEqual(
      adopted.map(({ lane, run, state }) => [lane, run, state]),
      [['yours', 'manual', 'open']],
    );
    assert.match(world.run(['lane', 'adopt', 'mine']).out, /^mine: open\nbranch lane\/mine/);
  });

  it('create says what a lane starts from, and what is unexpected of its place', () => {
    const far = mkdtempSync(join(tmpdir(), 'agentkit-far-'));
    world.git('checkout', '--quiet', '-b', 'astray');
    const settings = `version: 1\nworktree: { root: ${JSON.stringify(join(far, 'lanes'))} }\n`;
    writeFileSync(join(world.repo, 'agentkit.yaml'), settings);
    world.git('add', 'agentkit.yaml');
    world.git('commit', '--quiet', '-m', 'astray');
    const { out } = world.run(['lane', 'create', 'told', '--base', 'astray']);
    const base = world.git('rev-parse', 'astray').slice(0, 12);
    assert.match(out, new RegExp(`^ {2}from astray \\(${base}\\)$`, 'm'));
    assert.match(
      out,
      /^ {2}warning: Lanes go to .*, not to worktree\.root of agentkit\.yaml: .* lies outside/m,
    );
    assert.deepEqual(readdirSync(far), []);
    rmdirSync(far);
    world.git('checkout', '--quiet', 'main');
    const plain = world.run(['lane', 'create', 'plain', '--base', 'main']).out;
    assert.match(plain, /^ {2}from main \(/m);
    assert.doesNotMatch(plain, /warning/);
    for (const name of ['told', 'plain']) world.answer(['lane', 'discard', name], 0);
  });

  it('discard shows what it would take, takes it with a rescue, and restore brings it back', () => {
    const { path } = named('mine')!;
    writeFileSync(join(path!, 'app.txt'), 'changed\r\n');
    writeFileSync(join(path!, 'new.txt'), 'new\n');
    const preview = world.answer(['lane', 'discard', 'mine', '--dry-run'], 0);
    assert.deepEqual(
      [preview['discarded'], preview['dirty'], preview['untracked']],
      [false, ['app.txt'], ['new.txt']],
    );
    assert.ok(existsSync(path!), 'a dry run takes nothing');

    const taken = world.answer(['lane', 'discard', 'mine'], 0);
    assert.equal(taken['discarded'], true);
    assert.equal(existsSync(path!), false);
    const ref = taken['rescue'] as string;
    assert.match(ref, /^refs\/agentkit\/rescue\/mine\//);
    assert.equal(named('mine')?.state, 'dropped');
    assert.match(world.run(['lane', 'rescues']).out, new RegExp(`^${ref} `, 'm'));

    const back = world.answer(['lane', 'restore', ref], 0) as unknown as LaneView;
    assert.deepEqual([back.lane, back.state], ['mine', 'open']);
    assert.equal(readFileSync(join(back.path!, 'app.txt'), 'utf8'), 'changed\r\n');
    assert.equal(readFileSync(join(back.path!, 'new.txt'), 'utf8'), 'new\n');
    assert.match(world.failure(['lane', 'restore', 'refs/agentkit/rescue/mine/never'], 3), /never/);
  });

  it('discard leaves a lane in which somebody else works, and says who', async () => {
    const { path } = named('yours')!;
    const child = spawn('sleep', ['300'], { cwd: path!, stdio: 'ignore' });
    try {
      await once(child, 'spawn');
      const refused = world.answer(['lane', 'discard', 'yours'], 1);
      assert.equal(refused['discarded'], false);
      assert.match((refused['why_not'] as string[]).join(), new RegExp(`${child.pid}`));
      assert.ok(existsSync(path!));
    } finally {
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
    const { out } = world.run(['lane', 'discard', 'yours']);
    assert.match(
      out,
      /^Lane yours was taken away\. .*\nBring it back: ak lane restore refs\/agentkit\/rescue\/yours\//,
    );
  });

  it('tell goes on in the session of an agent that has ended, and refuses where there is none', () => {
    const none = world.run(['lane', 'tell', 'mine', '--', 'more']);
    assert.deepEqual([none.code, none.err], [6, 'ak: No agent of lane mine has told of a session.\n']);
    assert.match(world.failure(['lane', 'tell', 'mine'], 2), /no prompt/);
    world.write(
      'plans/talk.yaml',
      world.plan([{ id: 'talk', paths: ['*.txt'], steps: [writes('first.txt')] }]),
    );
    const begun = world.run(['orchestrate', 'start', 'plans/talk.yaml', '--yes']);
    assert.equal(begun.code, 0, begun.err + begun.out);
    const more = JSON.stringify({ write: { path: 'second.txt', content: 'second\n' } });
    const told = world.run(['lane', 'tell', 'talk', '--json', '--', `\`\`\`demo\n- ${more}\n\`\`\``]);
    assert.equal(told.code, 0, told.err + told.out);
    const view = JSON.parse(told.out) as LaneView;
    assert.equal(view.state, 'ready');
    assert.equal(view.attempts.length, 2);
    assert.equal(view.attempts[0]?.session_id, view.attempts[1]?.session_id, 'it is the same session');
    assert.equal(readFileSync(join(view.path!, 'second.txt'), 'utf8'), 'second\n');
  });

  it('clean takes away the worktree of a merged lane, and nothing else', () => {
    assert.equal(world.run(['lane', 'merge', 'talk']).code, 0);
    const { path } = named('talk')!;
    const planned = world.answer(['lane', 'clean', '--merged', '--dry-run'], 0);
    assert.deepEqual(
      (planned['removed'] as { lane: string }[]).map(({ lane }) => lane),
      ['talk'],
    );
    assert.ok(existsSync(path!));
    const done = world.answer(['lane', 'clean', '--merged'], 0);
    assert.deepEqual(
      (done['removed'] as { lane: string }[]).map(({ lane }) => lane),
      ['talk'],
    );
    assert.equal(existsSync(path!), false);
    assert.ok(existsSync(named('mine')!.path!));
    assert.match(world.run(['lane', 'clean', '--merged']).out, /nothing to clean up/);
  });

  it('orphans names what a lane left running, and ends it by its id', async () => {
    const { run } = named('talk')!;
    const folder = join(world.repo, '.git', 'agentkit', 'runs', run, 'lanes', 'talk', 'attempt-1');
    const marks = {
      AGENTKIT_RUN: run,
      AGENTKIT_LANE: 'talk',
      AGENTKIT_ATTEMPT: `${run}/talk/1`,
      AGENTKIT_STEP: folder,
    };
    const child = spawn('sleep', ['300'], { stdio: 'ignore', detached: true, env: world.env(marks) });
    await once(child, 'spawn');
    const found = world.answer(['lane', 'orphans'], 0)['orphans'] as { pid: number; lane: string }[];
    assert.deepEqual(
      found.map(({ lane }) => lane),
      ['talk'],
    );
    const stopped = world.answer(['lane', 'orphans', '--stop'], 0)['stopped'] as { result: string }[];
    assert.deepEqual(
      stopped.map(({ result }) => result),
      ['ended'],
    );
    assert.equal(platform.find(found[0]!.pid)?.zombie ?? true, true);
    assert.deepEqual(world.answer(['lane', 'orphans'], 0)['orphans'], []);
  });

  it('forget gives a rescue up at the person’s word, never at an agent’s', () => {
    const [rescue] = world.answer(['lane', 'rescues'], 0)['rescues'] as { ref: string }[];
    const agent = { CLAUDECODE: '1' };
    assert.match(world.failure(['lane', 'forget', rescue!.ref], 6, agent), /coding agent/);
    assert.equal(world.answer(['lane', 'forget', rescue!.ref], 0)['ok'], true);
    assert.match(world.failure(['lane', 'forget', rescue!.ref], 3), /There is no rescue/);
  });
});

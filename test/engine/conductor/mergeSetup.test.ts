import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { ProcessIdentity } from '../../../src/core/run/processIdentity.ts';
import type { AgentKit } from '../../../src/engine/agentKit.ts';
import { isAlive, processIdentity } from '../../../src/engine/process/identity.ts';
import { readStep } from '../../../src/engine/process/steps.ts';
import { isPortFree } from '../../../src/engine/setup/isPortFree.ts';
import { poll, untilDead } from '../process/stepFixture.ts';
import { buildPrograms } from './buildPrograms.ts';
import { DemoWorld, writes } from './demoWorld.ts';

const patience = 60_000;

describe('the worktree in which a merged tree is judged', function () {
  this.timeout(120_000);
  let dist: string;
  let owner: string;
  let world: DemoWorld;
  let kit: AgentKit;
  let run: string;
  before(() => {
    dist = mkdtempSync(join(tmpdir(), 'agentkit programs '));
    owner = buildPrograms(dist, join(import.meta.dirname, 'mortalOwner.ts'));
  });
  after(() => rmSync(dist, { recursive: true, force: true }));
  beforeEach(() => {
    world = new DemoWorld(undefined, dist);
    mkdirSync(join(world.root, 'home'));
    world.write('.gitignore', '.env*\nmade-*\n');
    world.write('.env', 'A=1\n');
  });
  afterEach(() => world.dispose());

  const beside = (file: string) => join(world.root, file);
  const linesOf = (file: string) => readFileSync(beside(file), 'utf8').trim().split('\n');
  const inMerge = (...path: string[]) => join(`${world.repo}-lanes`, '.merge-main', ...path);
  /** A command for the merge worktree only. */
  const merging = (command: string) => `case "$PWD" in *.merge-main) ${command};; esac`;
  /** A command that writes one line more beside the repository. */
  const note = (file: string, text: string) => `echo "${text}" >> "$HOME/../${file}"`;

  function commit(files: Record<string, string>): void {
    for (const [file, text] of Object.entries(files)) world.write(file, text);
    world.git('add', '.');
    world.git('commit', '--quiet', '-m', Object.keys(files).join());
  }

  function settle(worktree: object): void {
    commit({ 'agentkit.yaml': JSON.stringify({ version: 1, worktree }) });
  }

  function planOf(check: string, lanes: readonly string[]): string {
    const jobs = lanes.map((id) => ({ id, steps: [writes(`${id}.txt`)] }));
    return world.plan(jobs, { gate: [{ name: 'check', run: check, timeout: 60 }] });
  }

  /** Brings lanes, each with a file of its name, to ready. */
  async function ready(check: string, ...lanes: string[]): Promise<void> {
    kit = await world.kit('editor');
    const started = await kit.startRun({ text: planOf(check, lanes) });
    run = started.run;
    for (const lane of (await started.atRest).lanes) assert.equal(lane.state, 'ready', lane.why_not.join());
  }

  const merge = (lane: string) => kit.request(run, { do: 'merge', lane });

  async function mergeWell(lane: string): Promise<void> {
    const answer = await merge(lane);
    assert.ok(answer.ok, answer.message);
  }

  /** The first of two ports that nobody listens at. */
  async function freePair(): Promise<number> {
    for (;;) {
      const port = 20_000 + Math.floor(Math.random() * 10_000);
      if ((await isPortFree(port)) && (await isPortFree(port + 1))) return port;
    }
  }

  it('is given copies, links, ports and a setup as a lane is, and nothing of them comes into the merge', async () => {
    world.write('tools/tool', 'tool\n');
    writeFileSync(join(world.repo, '.git', 'info', 'exclude'), '/tools\n');
    settle({
      copy: ['.env'],
      link: ['tools'],
      ports: { PORT: '43100-43199' },
      setup: [
        'cat .env > made-env; echo $PORT > made-port',
        merging('echo more > unignored; echo spoilt > app.txt; git add app.txt'),
      ],
    });
    const check = [
      'grep -q A=1 made-env && grep -q tool tools/tool && grep -q start app.txt',
      'test "$(cat made-port)" = "$PORT"',
      note('ports', '$PORT'),
      merging('test -f unignored'),
    ];
    await ready(check.join(' && '), 'one', 'two');
    const before = world.git('rev-parse', 'main');
    await mergeWell('one');
    await mergeWell('two');
    assert.equal(world.git('diff', '--name-only', before, 'main'), 'one.txt\ntwo.txt');
    assert.ok(lstatSync(inMerge('.env')).isFile());
    assert.ok(lstatSync(inMerge('tools')).isSymbolicLink());
    const [one, two, ...merges] = linesOf('ports');
    assert.equal(merges.length, 2);
    assert.equal(merges[0], merges[1], 'it did not keep its port');
    assert.match(merges[0] ?? '', /^431\d\d$/);
    assert.ok(merges[0] !== one && merges[0] !== two, 'it has the port of a lane that may be in use');
  });

  it('is set up anew for each merge, with the files of the main checkout as they are then, and keeps what git ignores', async () => {
    world.write('.env.local', 'gone soon\n');
    settle({ copy: ['.env*'], setup: ['cp lock made-lock; echo again >> made-times'] });
    commit({ lock: 'first\n' });
    const judged = `cmp lock made-lock && ${note('seen', '$(cat .env) $(ls -A | grep -c env.local)')}`;
    await ready(merging(judged), 'one', 'two');
    await mergeWell('one');
    rmSync(join(world.repo, '.env.local'));
    world.write('.env', 'A=2\n');
    commit({ lock: 'second\n' });
    await mergeWell('two');
    assert.deepEqual(linesOf('seen'), ['A=1 1', 'A=2 0']);
    assert.equal(readFileSync(inMerge('made-times'), 'utf8'), 'again\nagain\n');
  });

  it('holds nothing that only other settings have brought', async () => {
    settle({ copy: ['.env'], setup: ['touch made-old'] });
    await ready(merging('test -f made-old && test -f .env'), 'one');
    await mergeWell('one');
    settle({ setup: ['touch made-new'] });
    await ready(merging('test ! -e made-old && test ! -e .env && test -f made-new'), 'two');
    await mergeWell('two');
    commit({ 'agentkit.yaml': JSON.stringify({ version: 1 }) });
    await ready(merging('test ! -e made-new'), 'three');
    await mergeWell('three');
  });

  it('refuses the merge when its setup fails, with the end of what that printed, and merges once it succeeds', async () => {
    settle({ setup: ['test ! -e forbidden || { echo no such package >&2; exit 4; }', 'touch made-late'] });
    await ready('test -f made-late', 'one');
    assert.equal((await kit.planMerge('one')).setup.length, 2, 'what it will run is not told before');
    commit({ forbidden: '' });
    const before = world.git('rev-parse', 'main');
    const refused = await merge('one');
    assert.equal(refused.ok, false);
    assert.match(
      refused.message,
      /^The merged tree could not be set up: setup `test .*` failed with exit 4: no such package$/,
    );
    assert.equal(world.git('rev-parse', 'main'), before);
    assert.equal(existsSync(inMerge('made-late')), false, 'it went on after what failed');
    const lane = await kit.findLane('one');
    assert.deepEqual(
      [lane.state, lane.why_not, lane.merge_gate.status],
      ['ready', [refused.message], 'none'],
    );
    world.git('rm', '--quiet', 'forbidden');
    world.git('commit', '--quiet', '-m', 'allowed');
    await mergeWell('one');
  });

  it('refuses the merge when its setup moves it to another commit', async () => {
    settle({ setup: [merging('test ! -e moves || git checkout --quiet HEAD~1')] });
    await ready('true', 'one');
    commit({ moves: '' });
    const refused = await merge('one');
    assert.equal(refused.ok, false);
    assert.match(refused.message, /\.merge-main stands at \w+ instead of \w+/);
    world.git('rm', '--quiet', 'moves');
    world.git('commit', '--quiet', '-m', 'stays');
    await mergeWell('one');
  });

  it("takes no port from a lane: where the range has no other it takes the lane's own, and says so", async () => {
    const first = await freePair();
    settle({ ports: { PORT: `${first}-${first + 1}` } });
    await ready(note('ports', '$PORT'), 'one');
    await mergeWell('one');
    await ready(note('ports', '$PORT'), 'two');
    await mergeWell('two');
    assert.deepEqual(
      linesOf('ports').map((port) => Number(port) - first),
      [0, 1, 1, 1],
    );
    assert.deepEqual((await kit.findLane('one')).warnings, []);
    const { warnings } = await kit.findLane('two');
    assert.match(warnings.join(), /judged with the lane's own ports: No port from .* is left for PORT/);
  });

  describe('while its setup runs', () => {
    const waits = 'while test -e "$HOME/../hold"; do sleep 0.1; done';
    // Whose files there are at the end is told too.
    const told = note('held', '$(echo one.txt* two.txt*)');
    const held = [merging(`${note('begun', '$$')}; ${waits}; touch made-it; ${told}`)];
    beforeEach(() => {
      writeFileSync(beside('hold'), '');
      settle({ setup: held });
    });

    const begun = () => poll('a setup that runs', patience, () => existsSync(beside('begun')) || undefined);

    it('stops with the merge, which is refused, and is set up again for the next', async () => {
      await ready(merging('test -f made-it'), 'one');
      const before = world.git('rev-parse', 'main');
      const asked = merge('one');
      await begun();
      assert.ok((await kit.request(run, { do: 'stopLane', lane: 'one' })).ok);
      const answer = await asked;
      assert.deepEqual(
        [answer.ok, answer.message],
        [false, 'The merge was stopped before the target moved.'],
      );
      assert.equal(processIdentity(Number(linesOf('begun')[0])), null, 'it goes on');
      assert.equal(world.git('rev-parse', 'main'), before);
      rmSync(beside('hold'));
      await mergeWell('one');
    });

    /** A process that owns the run until it is killed in the middle of the setup. */
    async function ownerDies(): Promise<string> {
      const { repo, environment: env } = world;
      const plan = planOf(merging('test -f made-it'), ['one']);
      const orders = { repo, dist, plan, lane: 'one', die: { append: 0, when: 'before' }, head: 'editor' };
      const child = execFile(process.execPath, [owner, JSON.stringify(orders)], { env });
      const ended = new Promise((resolve) => child.once('exit', resolve));
      await begun();
      child.kill('SIGKILL');
      await ended;
      kit = await world.kit('editor');
      const [view] = (await kit.listRuns()).runs;
      assert.equal(view?.lanes[0]?.state, 'merging', 'its setup is not seen to run');
      run = view.run;
      return view.folder;
    }

    it('goes on with whoever resumes the run after its owner was killed, and runs once', async () => {
      await ownerDies();
      const { atRest } = await kit.resumeRun(run);
      rmSync(beside('hold'));
      const [lane] = (await atRest).lanes;
      assert.equal(lane?.state, 'merged', lane?.why_not.join());
      assert.equal(linesOf('begun').length, 1, 'its setup ran twice');
    });

    it('is left alone by merges of other runs while it runs on, and judged no more after one of them', async () => {
      await ownerDies();
      const left = run;
      const other = await kit.startRun({ text: planOf('true', ['two', 'three']) });
      const [two] = (await other.atRest).lanes;
      assert.equal(two?.state, 'ready', two?.why_not.join());
      const asked = kit.request(other.run, { do: 'merge', lane: 'two' });
      // What was asked for later is done by then, so the merge was looked at and waits.
      assert.ok((await kit.request(other.run, { do: 'gate', lane: 'three' })).ok);
      await poll('the gate of another lane', patience, async () =>
        (await kit.findLane('three')).state === 'ready' ? true : undefined,
      );
      assert.equal((await kit.findLane('two')).state, 'ready');
      rmSync(beside('hold'));
      const answer = await asked;
      assert.ok(answer.ok, answer.message);
      assert.deepEqual(linesOf('held'), ['one.txt two.txt*', 'one.txt* two.txt']);
      const [one] = (await (await kit.resumeRun(left)).atRest).lanes;
      assert.equal(one?.state, 'ready');
      assert.match(one.why_not.join(), /stands at \w+ instead of \w+/);
      await mergeWell('one');
    });

    /** Its supervisor dies as well. Resolves to the setup itself, which lives on. */
    async function supervisorDies(folder: string): Promise<ProcessIdentity> {
      const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
      const supervised = files.filter((file) => /setup-2.*status\.json$/.test(file));
      const { status } = await readStep(dirname(join(folder, supervised[0] ?? '')));
      const child = processIdentity(Number(linesOf('begun')[0]));
      assert.ok(status && child);
      process.kill(status.supervisor.pid, 'SIGKILL');
      await untilDead(status.supervisor);
      assert.ok(isAlive(child));
      return child;
    }

    it('is ended when its supervisor was killed too: the merge is refused, and can be asked for again', async () => {
      const child = await supervisorDies(await ownerDies());
      const [lane] = (await (await kit.resumeRun(run)).atRest).lanes;
      assert.equal(lane?.state, 'ready');
      assert.match(lane.why_not.join(), /could not be set up: setup .* left no result/);
      assert.equal(isAlive(child), false, 'it goes on with nobody to look after it');
      rmSync(beside('hold'));
      await mergeWell('one');
    });

    it('is ended then by the merge of another run too, and is not why that one passes', async () => {
      const child = await supervisorDies(await ownerDies());
      const left = run;
      settle({ setup: [] });
      // Lets the setup that was left go on, and sees what it would write.
      const late =
        'rm -f "$HOME/../hold"; for n in $(seq 30); do test -e made-it && exit 0; sleep 0.1; done; exit 1';
      await ready(merging(`test -e allowed || (${late})`), 'two');
      const refused = await merge('two');
      assert.equal(isAlive(child), false, 'it goes on while another merge is judged');
      assert.equal(refused.ok, false);
      assert.match(refused.message, /The gate failed on the merged tree/);
      commit({ allowed: '' });
      await mergeWell('two');
      const [one] = (await (await kit.resumeRun(left)).atRest).lanes;
      assert.match(one?.why_not.join() ?? '', /could not be set up: setup .* left no result/);
    });
  });
});

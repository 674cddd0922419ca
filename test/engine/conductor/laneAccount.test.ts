import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LaneView } from '../../../src/core/lanes/laneView.ts';
import { listLeases } from '../../../src/engine/accounts/leaseFile.ts';
import type { AgentKit } from '../../../src/engine/agentKit.ts';
import { notYetReset, recorded } from '../agents/claude/recorded.ts';
import { StandInClaude, type StandInAnswers } from '../agents/claude/standInClaude.ts';
import { rejectsWith } from '../git/rejectsWith.ts';
import { DemoWorld } from './demoWorld.ts';

/** Which account a lane really works under, with a stand-in in place of the CLI of Claude Code. */
describe('the account of a lane', function () {
  this.timeout(60_000);
  let world: DemoWorld;
  let standIn: StandInClaude;
  let kit: AgentKit;

  beforeEach(async () => {
    world = new DemoWorld([]);
    standIn = new StandInClaude(world.root);
    for (const name of ['spare', 'work'])
      mkdirSync(join(world.root, 'profiles', 'claude', name), { recursive: true, mode: 0o700 });
    world.environment['PATH'] = `${standIn.folder}:${process.env['PATH']}`;
    world.environment['IS_SANDBOX'] = '1';
    answer();
    kit = await world.kit();
  });
  afterEach(() => world.dispose());

  const status = (email: string) =>
    JSON.stringify({ loggedIn: true, authMethod: 'claude.ai', email, orgId: 'o' }, null, 1);

  /** Both profiles are logged in, each as somebody else, unless `first` changes the answers. */
  function answer(more: StandInAnswers = {}): void {
    const folder = 'process.env.CLAUDE_CONFIG_DIR ?? "own"';
    standIn.answer({
      version: '2.1.332 (Claude Code)',
      usage: recorded('usage-limits.jsonl').replaceAll('2026-', '2099-'),
      run: notYetReset('success.jsonl'),
      writes: 'job.txt',
      ...more,
      first: `answers.writes = answers.writes?.replace('LANE', process.env.AGENTKIT_LANE); answers.status ??= ${JSON.stringify(status('NAME'))}.replace('NAME', ${folder}); ${more.first ?? ''}`,
    });
  }

  const planOf = (job: object = {}) =>
    world.plan([{ id: 'job', steps: [], kind: 'claude', ...job }], {
      accounts: ['claude/@spare', 'claude/@work'],
    });

  async function laneOf(job: object = {}): Promise<LaneView> {
    const { atRest } = await kit.startRun({ text: planOf(job) });
    const [lane] = (await atRest).lanes;
    assert.ok(lane);
    return lane;
  }

  const quotas = () => standIn.calls().filter(({ args }) => args.includes('--input-format=stream-json'));
  const prompts = () => standIn.calls().filter(({ prompt }) => /Do job/.test(prompt ?? ''));

  it('is asked about once for its batch, and its CLI who it is before the prompt is sent', async () => {
    const { whyNot, jobs } = await kit.previewPlan({ text: planOf() });
    assert.deepEqual(whyNot, []);
    assert.deepEqual(jobs[0]?.account, { name: 'claude/@spare', headroom_pct: null, resets_at: null });
    assert.deepEqual(standIn.calls(), [], 'a preview starts no CLI');
    const lane = await laneOf();
    assert.equal(lane.state, 'ready', lane.why_not.join());
    assert.equal(lane.account, 'claude/@spare');
    assert.deepEqual(
      quotas().map(({ configFolder }) => configFolder?.split('/').at(-1)),
      ['spare', 'work', 'spare', 'work'],
      'once before its first agent, and once for what it has spent',
    );
    const calls = standIn.calls().filter(({ configFolder }) => configFolder?.endsWith('/spare'));
    const prompted = calls.findIndex(({ prompt }) => /Do job/.test(prompt ?? ''));
    assert.deepEqual(
      calls.slice(prompted - 2, prompted + 1).map(({ args }) => args[0]),
      ['--version', 'auth', '--print'],
    );
    assert.equal(prompts().length, 1);
  });

  it('is asked for everything where the person says so in the settings, and so is what it starts', async () => {
    const modes = async () => {
      await laneOf();
      const { args, entries } = prompts().at(-1) ?? {};
      return [args?.find((arg) => arg.startsWith('--permission-mode')), entries];
    };
    answer({ first: 'call.entries = [String(process.env.AGENTKIT_PERMISSIONS)];' });
    assert.deepEqual(await modes(), ['--permission-mode=bypassPermissions', ['undefined']]);
    const folder = join(world.root, 'home', '.config', 'agentkit');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'settings.yaml'), 'permissions: ask\n', { mode: 0o600 });
    assert.deepEqual(await modes(), ['--permission-mode=default', ['ask']]);
  });

  it('stops before the prompt is sent when it is somebody else than at the last reading', async () => {
    await kit.usage({ kind: 'claude', maxAgeS: 0 });
    answer({ status: status('somebody else') });
    const lane = await laneOf({ kind: undefined, account: 'claude/@work' });
    assert.equal(lane.state, 'failed');
    assert.match(lane.why_not.join(), /claude\/@work is logged in as somebody else .* ak usage claude/);
    assert.deepEqual(prompts(), []);
    await kit.usage({ kind: 'claude', maxAgeS: 0 });
    const again = await laneOf({ kind: undefined, account: 'claude/@work', id: 'job' });
    assert.equal(again.state, 'ready', 'after it was read anew');
  });

  it('stops before the prompt is sent when its subscription has become a key', async () => {
    await kit.usage({ kind: 'claude', maxAgeS: 0 });
    answer({ status: recorded('status-api-key.json') });
    const lane = await laneOf({ kind: undefined, account: 'claude/@work' });
    assert.equal(lane.state, 'failed');
    assert.match(lane.why_not.join(), /claude\/@work is logged in with a login that has no name/);
    assert.deepEqual(prompts(), []);
  });

  it('gives way to another one when it is logged out, which is no failure of the job', async () => {
    await kit.usage({ kind: 'claude', maxAgeS: 0 });
    const out = JSON.stringify({ loggedIn: false, authMethod: 'none' });
    answer({
      first: `if (/spare$/.test(process.env.CLAUDE_CONFIG_DIR)) answers.status = ${JSON.stringify(out)};`,
    });
    const lane = await laneOf();
    assert.equal(lane.state, 'ready', lane.why_not.join());
    assert.deepEqual(
      lane.attempts.map(({ account }) => account),
      ['claude/@spare', 'claude/@work'],
    );
  });

  /** What the CLI does for @spare when it is asked who it is, once, after the last of the quotas has been read. */
  const onceRead = (does: string) =>
    `const read = files.calls + '.read', name = process.env.CLAUDE_CONFIG_DIR;
    if (/work$/.test(name) && args.includes('--input-format=stream-json')) fs.writeFileSync(read, '');
    if (/spare$/.test(name) && args[0] === 'auth' && fs.existsSync(read)) { fs.rmSync(read); ${does} }`;
  const loggedOut = `answers.status = ${JSON.stringify(JSON.stringify({ loggedIn: false, authMethod: 'none' }))};`;
  const silent = 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);';
  for (const [how, does] of [
    ['logged out', loggedOut],
    ['without an answer', silent],
  ] as const)
    it(`gives way to another one that is told what is there, when it is ${how} at a retry`, async () => {
      await kit.usage({ kind: 'claude', maxAgeS: 0 });
      onSpare(recorded('unknown-model.jsonl'), `if (process.env.AGENTKIT_LANE) answers.writes = 'job.txt';`);
      const { run, atRest } = await kit.startRun({ text: planOf() });
      assert.equal((await atRest).lanes[0]?.state, 'failed');
      answer({ first: onceRead(does) });
      assert.ok((await kit.request(run, { do: 'retry', lane: 'job' })).ok);
      const [lane] = (await (await kit.resumeRun(run)).atRest).lanes;
      assert.ok(lane);
      assert.equal(lane.state, 'ready', lane.why_not.join());
      assert.deepEqual(attemptsOf(lane), [
        ['claude/@spare', 'failed'],
        ['claude/@spare', 'lost'],
        ['claude/@work', 'succeeded'],
      ]);
      assert.match(
        prompts().at(-1)?.prompt ?? '',
        /Another agent \(claude\/@spare\) began this piece of work/,
      );
      assert.deepEqual(await listLeases(world), []);
    });

  it('is read before a run is made, which no account could take', async () => {
    answer({ status: JSON.stringify({ loggedIn: false, authMethod: 'none' }) });
    assert.deepEqual((await kit.previewPlan({ text: planOf() })).whyNot, []);
    await rejectsWith(
      kit.startRun({ text: planOf() }),
      'none_qualifies',
      '@spare: not logged in',
      'auth login',
    );
    assert.deepEqual((await kit.listRuns()).runs, []);
  });

  it('blocks a lane that has no other one, with the command that logs in', async () => {
    await kit.usage({ kind: 'claude', maxAgeS: 0 });
    answer({ status: JSON.stringify({ loggedIn: false, authMethod: 'none' }) });
    const lane = await laneOf();
    assert.equal(lane.state, 'blocked');
    assert.match(lane.why_not.join(), /@spare: .*not logged in.*auth login.*@work: .*not logged in/s);
    assert.deepEqual(prompts(), []);
  });

  it('is benched by a limit that its run met, without a contact, for other runs too', async () => {
    onSpare(limit());
    assert.deepEqual(attemptsOf(await laneOf()), [
      ['claude/@spare', 'failed'],
      ['claude/@work', 'succeeded'],
    ]);
    const [own, spare, work] = await kit.usage({ kind: 'claude', maxAgeS: Infinity });
    assert.equal(own?.profile, '@default');
    assert.deepEqual([spare?.status, work?.status], ['rate_limited', 'ok']);
    assert.equal(spare?.limits?.[0]?.resets_at, '2100-01-01T00:00:00.000Z');
    answer();
    assert.equal((await laneOf()).account, 'claude/@work');
    assert.deepEqual(
      quotas().map(({ configFolder }) => configFolder?.split('/').at(-1)),
      ['spare', 'work', 'work', 'spare', 'work'],
      'each once at the beginning, and once for what a run has spent',
    );
  });

  /** What the CLI does for @spare alone; @work does its work. Afterwards it tells nothing of that quota any more. */
  const onSpare = (run: string, more = '', writes = 'job.txt') =>
    answer({
      writes,
      first: `if (/spare$/.test(process.env.CLAUDE_CONFIG_DIR)) { answers.run = ${JSON.stringify(run)}; answers.exit = 1; delete answers.writes; ${more} ${quiet} }`,
    });
  const quiet =
    "if (args[0] === '--print' && process.env.AGENTKIT_LANE) fs.writeFileSync(files.calls + '.ran', ''); if (args.includes('--input-format=stream-json') && fs.existsSync(files.calls + '.ran')) process.exit(1);";
  const limit = () => notYetReset('limit-midrun.jsonl');
  const attemptsOf = ({ attempts }: LaneView) => attempts.map(({ account, outcome }) => [account, outcome]);
  const gaveWay = [
    ['claude/@spare', 'failed'],
    ['claude/@work', 'succeeded'],
  ];

  for (const [name, why] of [
    ['login-expired', /claude\/@spare is not logged in: .+/],
    ['no-credit', /claude\/@spare cannot be used because of its billing or plan: .+/],
  ] as const)
    it(`gives way to another one for the whole run at ${name} of the vendor`, async () => {
      await kit.usage({ kind: 'claude', maxAgeS: 0 });
      onSpare(recorded(`${name}.jsonl`), '', 'LANE.txt');
      const jobs = ['a', 'b'].map((id) => ({ id: `${name}-${id}`, steps: [], kind: 'claude' }));
      const text = world.plan(jobs, { accounts: ['claude/@spare', 'claude/@work'], concurrency: 1 });
      const { atRest } = await kit.startRun({ text });
      const [a, b] = (await atRest).lanes;
      assert.ok(a && b);
      assert.deepEqual(
        [a.state, b.state],
        ['ready', 'ready'],
        [name, JSON.stringify(a.attempts), ...a.why_not, ...b.why_not].join(': '),
      );
      assert.deepEqual(attemptsOf(a), gaveWay);
      assert.deepEqual(attemptsOf(b), [['claude/@work', 'succeeded']], 'no other lane gets it');
      assert.match(a.warnings.join(), why);
      assert.deepEqual(b.warnings, []);
      assert.deepEqual(await listLeases(world), [], 'its lease is released');
      const told = await kit.usage({ kind: 'claude', maxAgeS: Infinity });
      assert.notEqual(told[1]?.status, 'ok');
      assert.equal(told[2]?.status, 'ok');
    });

  it('is benched by the limit of a model that its CLI chose, for jobs that leave the choice to it', async () => {
    onSpare(notYetReset('limit-opus.jsonl'));
    assert.deepEqual(attemptsOf(await laneOf()), gaveWay);
    assert.deepEqual(attemptsOf(await laneOf()), gaveWay.slice(1), 'the next run knows');
    answer();
    const named = { kind: undefined, account: 'claude/@spare' };
    await rejectsWith(laneOf(named), 'none_qualifies', 'a run reached its weekly:opus limit');
    // At the end of the first run it told no quota.
    await kit.usage({ kind: 'claude', maxAgeS: 0 });
    assert.equal((await laneOf({ ...named, model: 'haiku' })).state, 'ready', 'another model has room');
  });

  it('keeps it where the vendor only says no to the job: that has failed', async () => {
    onSpare(recorded('unknown-model.jsonl'));
    const lane = await laneOf();
    assert.deepEqual([lane.state, attemptsOf(lane)], ['failed', [['claude/@spare', 'failed']]]);
  });

  it('stays out of use for whoever goes on with its run', async () => {
    await kit.usage({ kind: 'claude', maxAgeS: 0 });
    onSpare(recorded('login-expired.jsonl'));
    const jobs = ['a', 'b'].map((id, index) => ({
      ...{ id, steps: [], kind: 'claude', paths: ['*.txt'] },
      depends_on: ['a'].slice(0, index),
    }));
    const text = world.plan(jobs, { accounts: ['claude/@spare', 'claude/@work'] });
    const { run, atRest } = await kit.startRun({ text });
    const [first] = (await atRest).lanes;
    assert.ok(first);
    assert.deepEqual(attemptsOf(first), gaveWay);
    await kit.dispose();
    kit = await world.kit();
    answer({ writes: 'other.txt' });
    const readings = await kit.usage({ kind: 'claude', maxAgeS: 0 });
    assert.ok(
      readings.every(({ status: each }) => each === 'ok'),
      'it could be used by another run',
    );
    assert.ok((await kit.request(run, { do: 'merge', lane: 'a' })).ok);
    const resumed = await kit.resumeRun(run);
    const [, second] = (await resumed.atRest).lanes;
    assert.ok(second);
    assert.deepEqual([second.state, attemptsOf(second)], ['ready', gaveWay.slice(1)]);
  });

  it('gives way at its limit where that loses nothing', async () => {
    await kit.usage({ kind: 'claude', maxAgeS: 0 });
    onSpare(limit());
    const lane = await laneOf();
    assert.deepEqual([lane.state, attemptsOf(lane)], ['ready', gaveWay]);
    assert.match(lane.warnings.join(), /limit of claude\/@spare is reached; resets at 2100/);
  });

  it('has what was committed before its limit checked by the gate', async () => {
    const commit =
      "require('fs').writeFileSync('job.txt', 'x'); const run = (...args) => require('child_process').execFileSync('git', args); run('add', 'job.txt'); run('commit', '-qm', 'x');";
    onSpare(limit(), `if (args[0] === '--print' && process.env.AGENTKIT_LANE) { ${commit} }`);
    const lane = await laneOf();
    assert.deepEqual([lane.state, attemptsOf(lane)], ['ready', gaveWay.slice(0, 1)]);
    assert.equal(lane.gate.status, 'passed');
  });

  it('has what is uncommitted at its limit rescued, and the next one begin anew', async () => {
    onSpare(limit(), `answers.writes = 'other.txt';`);
    const lane = await laneOf();
    assert.deepEqual([lane.state, attemptsOf(lane)], ['ready', gaveWay]);
    assert.deepEqual(
      lane.rescues.map(({ why, files }) => [why, files]),
      [['restart', 1]],
    );
    assert.doesNotMatch(prompts().at(-1)?.prompt ?? '', /Another agent/);
  });
});

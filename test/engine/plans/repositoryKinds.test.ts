import assert from 'node:assert/strict';
import { existsSync, readFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { stringify } from 'yaml';
import type { AgentKit } from '../../../src/engine/agentKit.ts';
import { repositoryTrust, trustRepository } from '../../../src/engine/person/repositoryTrust.ts';
import { AkWorld } from '../cli/akWorld.ts';
import { rejectsWith } from '../git/rejectsWith.ts';

const mytool = {
  run: ['mytool', 'work', '{prompt_file}'],
  result: 'jsonl:$.text',
  home_env: 'MYTOOL_HOME',
  version: ['mytool', '--version'],
};

describe('a kind that a repository describes', function () {
  this.timeout(60_000);
  let world: AkWorld;
  beforeEach(() => {
    world = new AkWorld([]);
    // The stand-in for a tool of the repository's people writes the file of its lane, with how it was started.
    world.standIn(
      'mytool',
      `echo "$*" | sed 's: /.*::' >> "${calls()}"
       test -e "${join(world.root, 'fails')}" && exit 3
       echo "$1 for $MYTOOL_HOME" > "$AGENTKIT_LANE.txt"
       echo '{"text":"done"}'`,
    );
    settle({ mytool });
  });
  afterEach(() => world.dispose());

  const calls = () => join(world.root, 'calls');
  const called = () => (existsSync(calls()) ? readFileSync(calls(), 'utf8').trim().split('\n') : []);

  /** Commits an agentkit.yaml with kinds. */
  function settle(kinds: unknown): void {
    const text = typeof kinds === 'string' ? kinds : stringify({ version: 1, kinds });
    world.write('agentkit.yaml', text);
    world.git('add', 'agentkit.yaml');
    world.git('commit', '--quiet', '-m', 'kinds');
  }

  async function allow(): Promise<void> {
    const shown = await repositoryTrust((await world.kit()).repository, 'main', world.environment);
    assert.match(shown.commands, /mytool/);
    await trustRepository(shown, world.environment);
  }

  const planOf = (job: object = {}, more: object = {}) =>
    world.plan([{ id: 'a', steps: [], kind: undefined, account: 'mytool/@default', ...job }], more);

  async function told(text = planOf(), head: 'ak' | 'editor' = 'ak'): Promise<string> {
    return (await (await world.kit(head)).previewPlan({ text })).whyNot.join('\n');
  }

  /** Runs a plan to rest; its lane with the file that the tool wrote there. */
  async function outcome(kit: AgentKit, text = planOf()) {
    const { run, atRest } = await kit.startRun({ text });
    const [lane] = (await atRest).lanes;
    assert.ok(lane);
    const file = join(lane.path ?? '', 'a.txt');
    return { run, lane, wrote: existsSync(file) ? readFileSync(file, 'utf8').trim() : undefined };
  }

  it('works from the plan to the merge, under the account that the plan names', async () => {
    await allow();
    mkdirSync(join(world.root, 'profiles', 'mytool', 'one'), { recursive: true, mode: 0o700 });
    const kit = await world.kit();
    const text = planOf({ account: 'mytool/@one' });
    const preview = await kit.previewPlan({ text });
    assert.deepEqual([preview.whyNot, preview.refusal], [[], null]);
    const [reading] = preview.accounts;
    assert.deepEqual([reading?.kind, reading?.profile, reading?.status], ['mytool', '@one', 'unknown']);
    assert.match(reading?.reason ?? '', /mytool is described without a quota/);
    assert.deepEqual(called(), [], 'a preview starts no program');
    const { lane, wrote } = await outcome(kit, text);
    assert.equal(lane.state, 'ready', lane.why_not.join());
    assert.equal(wrote, `work for ${join(world.root, 'profiles', 'mytool', 'one')}`);
    const { from } = await kit.planMerge('a');
    const answer = await kit.request(lane.run, { do: 'merge', lane: 'a', expect: from });
    assert.equal(answer.ok, true, answer.message);
    assert.match(world.git('show', 'main:a.txt'), /^work for /);
    assert.deepEqual(called(), ['work'], 'nothing of it runs but its agent');
  });

  it("runs in a shell only with the person's word, and in an editor that trusts the workspace", async () => {
    const plan = join(world.root, 'plan.yaml');
    writeFileSync(plan, planOf());
    const start = ['orchestrate', 'start', plan, '--yes'];
    assert.match(world.failure(start, 6), /not allowed the commands of agentkit\.yaml yet.*ak trust add$/);
    await rejectsWith((await world.kit()).startRun({ text: planOf() }), 'refused', /ak trust add/);
    assert.deepEqual(called(), []);
    assert.equal(existsSync(join(world.repo, '.git', 'agentkit', 'runs')), false);
    assert.equal(await told(planOf(), 'editor'), '');
    const shown = world.run(['trust', 'add', '--yes']);
    assert.equal(shown.code, 0, shown.err);
    const started = world.answer(start, 0);
    assert.deepEqual((started['lanes'] as { state: string }[])[0]?.state, 'ready');
    assert.deepEqual(called(), ['work']);
  });

  it('asks again when its description has changed', async () => {
    await allow();
    assert.equal(await told(), '');
    settle({ mytool: { ...mytool, run: ['mytool', 'evil', '{prompt_file}'] } });
    assert.match(await told(), /have changed since you allowed them \(-.*work.*\+.*evil.*ak trust add/);
    assert.deepEqual(called(), []);
    await allow();
    assert.equal((await outcome(await world.kit())).wrote, 'evil for');
  });

  it('needs no word where the plan does not name it', async () => {
    world.setUsage('one', 0);
    const text = world.plan([{ id: 'a', steps: [] }]);
    assert.equal(await told(text), '');
    assert.match(await told(), /ak trust add/);
  });

  it('stands beside the gate of the repository, and beside nothing that is not read', async () => {
    const gate = [{ name: 'own', run: 'true' }];
    const text = planOf({}, { gate: undefined });
    const preview = async () => (await world.kit('editor')).previewPlan({ text });
    settle(stringify({ version: 1, gate, kinds: { mytool } }));
    const { gateSource, whyNot } = await preview();
    assert.deepEqual([gateSource, whyNot], ['agentkit.yaml', []]);
    settle(stringify({ version: 1, gate, kinds: { mytool }, hooks: { start: 'npm ci' } }));
    assert.match((await preview()).whyNot.join(), /unknown key "hooks"/);
  });

  it('asks for an account by name, as nothing is known of its quota', async () => {
    await allow();
    const text = planOf({ kind: 'mytool', account: undefined });
    assert.match(
      await told(text),
      /mytool\/@default: unknown: mytool is described without a quota: only a job that names the account uses it/,
    );
    assert.equal(await told(), '');
  });

  it('is the one of the base commit, not that of another branch or of a lane', async () => {
    world.git('branch', 'bare', 'HEAD~1');
    await allow();
    assert.match(await told(planOf({}, { base: 'bare' })), /unknown kind "mytool"; known: demo, /);
    assert.equal(await told(planOf({}, { base: 'main' })), '');
    world.write('agentkit.yaml', stringify({ version: 1, kinds: { mytool: { ...mytool, run: ['other'] } } }));
    assert.equal(
      (await outcome(await world.kit())).wrote,
      'work for',
      'what is not committed does not count',
    );
  });

  it('stays as it was for a run that is taken up later, whatever became of agentkit.yaml', async () => {
    await allow();
    writeFileSync(join(world.root, 'fails'), '');
    const first = await world.kit();
    const { run, lane } = await outcome(first);
    assert.equal(lane.state, 'failed', lane.why_not.join());
    await first.dispose();
    rmSync(join(world.root, 'fails'));
    settle({ mytool: { ...mytool, run: ['mytool', 'newer', '{prompt_file}'] } });
    const second = await world.kit('editor');
    assert.equal((await second.request(run, { do: 'retry', lane: 'a' })).ok, true);
    const [again] = (await (await second.resumeRun(run)).atRest).lanes;
    assert.equal(again?.state, 'ready', again?.why_not.join());
    assert.deepEqual(called(), ['work', 'work']);
  });

  it('is not started by a shell that takes up the run of a trusted editor, until the person allows it', async () => {
    writeFileSync(join(world.root, 'fails'), '');
    const window = await world.kit('editor');
    const { run } = await outcome(window);
    await window.dispose();
    rmSync(join(world.root, 'fails'));
    const shell = await world.kit();
    await rejectsWith(shell.resumeRun(run), 'refused', /ak trust add/);
    await shell.request(run, { do: 'retry', lane: 'a' });
    const deadline = performance.now() + 20_000;
    const refused = async () => (await shell.findLane('a')).attempts.length === 2;
    while (!(await refused()) || (await shell.findLane('a')).state !== 'failed') {
      assert.ok(performance.now() < deadline, 'its second attempt never ended');
      await pause(50);
    }
    assert.match((await shell.findLane('a')).why_not.join(), /ak trust add/);
    assert.deepEqual(called(), ['work']);
    await shell.dispose();
    await allow();
    const allowed = await world.kit();
    await allowed.request(run, { do: 'retry', lane: 'a' });
    const [lane] = (await (await allowed.resumeRun(run)).atRest).lanes;
    assert.equal(lane?.state, 'ready', lane?.why_not.join());
  });

  for (const [what, kinds, problem] of [
    [
      'a key that there is not',
      'kinds:\n  mytool: { run: [mytool], result: text, go: 1 }',
      /^agentkit\.yaml:3:42 unknown key "go"/,
    ],
    [
      'a kind that is here already',
      'kinds:\n  claude: { run: [mytool], result: text }',
      /^agentkit\.yaml:3:11 .*"claude" is here already/,
    ],
    [
      'a program in the repository',
      'kinds:\n  mytool: { run: [./mytool], result: text }',
      /^agentkit\.yaml:3:18 .*a program on PATH/,
    ],
    ['no mapping', '- kinds', /^agentkit\.yaml:2:1 /],
  ] as const)
    it(`names file, line and column of ${what}`, async () => {
      await allow();
      settle(`version: 1\n${kinds}\n`);
      const { problems, refusal } = await (await world.kit()).previewPlan({ text: planOf() });
      assert.deepEqual([problems.length, refusal], [1, 'invalid_input']);
      assert.match(problems[0]?.message ?? '', problem);
      settle({ mytool });
      assert.equal(await told(), '');
    });

  it('gets accounts of its own in its repository once it is allowed, and is for plans alone', () => {
    const add = ['profiles', 'add', 'mytool', '@one'];
    const listed = () => world.answer(['profiles'], 0)['profiles'] as { kind: string; profile: string }[];
    assert.match(world.failure(add, 6), /ak trust add$/);
    assert.deepEqual(
      listed().filter(({ kind }) => kind === 'mytool'),
      [],
    );
    assert.equal(world.run(['trust', 'add', '--yes']).code, 0);
    const folder = join(world.root, 'profiles', 'mytool', 'one');
    assert.equal(world.answer(add, 0)['path'], folder);
    assert.deepEqual(
      listed().flatMap(({ kind, profile }) => (kind === 'mytool' ? [profile] : [])),
      ['@default', '@one'],
    );
    assert.equal(world.run(['profiles', 'path', 'mytool', '@one']).out.trim(), folder);
    assert.match(
      world.run(['profiles', 'path', 'mytool', '@one'], {}, world.root).err,
      /no kind "mytool"; .* a repository's agentkit\.yaml describes are for its plans/,
    );
    for (const args of [
      ['run', 'mytool', '--', 'x'],
      ['usage', 'mytool'],
    ]) {
      const { code, err } = world.run(args);
      assert.equal(code, 3);
      assert.match(err, /no kind "mytool"; .* are for its plans/);
    }
    assert.equal(world.answer(['profiles', 'rm', 'mytool', '@one', '--yes'], 0)['removed'], true);
    assert.equal(existsSync(folder), false);
    assert.deepEqual(called(), []);
  });

  it('keeps nobody from other accounts, however its description is broken', () => {
    settle('version: 1\nkinds: [');
    assert.match(world.failure(['profiles', 'add', 'mytool', '@one'], 2), /agentkit\.yaml:2:9/);
    assert.match(world.failure(['profiles', 'add', 'nobody', '@one'], 2), /agentkit\.yaml:2:9/);
    world.answer(['profiles'], 0);
    world.answer(['profiles', 'add', 'demo', '@other'], 0);
  });

  it("does not replace a kind of the person's own", async () => {
    await allow();
    const folder = join(world.home, '.config', 'agentkit');
    const own = (id: string) =>
      writeFileSync(join(folder, 'settings.yaml'), stringify({ kinds: { [id]: mytool } }), { mode: 0o600 });
    own('mytool');
    assert.match(
      await told(),
      /agentkit\.yaml:3:3 "mytool" is a kind of your own settings too.*give one of the two another name/,
    );
    own('mine');
    assert.equal(await told(), '');
  });

  it('gets no key of the person that it asks for, and may say which other variables it needs', async () => {
    settle({ mytool: { ...mytool, env: ['OPENROUTER_API_KEY'] } });
    assert.match(
      await told(),
      /agentkit\.yaml:3:3 OPENROUTER_API_KEY is a key of yours.*describe "mytool" in your own settings\.yaml/,
    );
    settle({ mytool: { ...mytool, env: ['HOME'] } });
    await allow();
    assert.equal(await told(), '');
  });
});

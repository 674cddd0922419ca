import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { continuePrompt } from '../../src/core/run/continuePrompt.ts';
import { framePrompt } from '../../src/core/run/framePrompt.ts';
import { handoverPrompt } from '../../src/core/run/handoverPrompt.ts';
import { tellPrompt } from '../../src/core/run/tellPrompt.ts';
import { mayContinue } from '../../src/engine/person/mayContinue.ts';
import { job, plan } from '../unit/core/run/samples.ts';
import { AgentWorld } from './agentWorld.ts';
import { kindNames, type TestedKind } from './testedKinds.ts';

/** Every file below a folder, with what is in it. */
function contentsOf(folder: string): Map<string, string> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const files = names.filter((name) => statSync(join(folder, name)).isFile());
  const hash = (name: string) =>
    createHash('sha256')
      .update(readFileSync(join(folder, name)))
      .digest('hex');
  return new Map(files.map((name) => [name, hash(name)]));
}

describe('conversations of real agents', function () {
  this.timeout(120_000);
  let world: AgentWorld;
  let lanes = 0;
  before(async () => {
    world = new AgentWorld();
    await world.open();
  });
  after(() => world.dispose());

  /** A worktree of its own. */
  function lane(): string {
    const folder = join(world.root, `lane ${(lanes += 1)}`);
    world.git('worktree', 'add', '--quiet', '-b', `lane/${lanes}`, folder);
    return folder;
  }

  /** The job of a lane that takes two steps, of which an account at its limit does one. */
  function twoSteps(words: string) {
    const api = job('api', { prompt: words, paths: ['*.txt'] });
    world.server.teach({
      when: words,
      say: 'Both are written.',
      steps: [{ write: { path: 'first.txt', content: 'one\n' } }, { shell: 'cat first.txt > second.txt' }],
    });
    return { job: api, plan: plan([api]) };
  }

  const read = (cwd: string, file: string) => readFileSync(join(cwd, file), 'utf8');
  const lastRequest = () => world.server.requests.at(-1) ?? assert.fail('nothing was asked');
  const sessionIn = async (kind: TestedKind, account: string, session: string, cwd: string) => {
    const found = await world.find(kind, account);
    return found.kind.hasSession?.(found.profile, session, cwd);
  };

  /** A first turn that writes one of its files and ends at the limit of its account. */
  async function reachLimit(kind: TestedKind, words: string, account = '@spent') {
    world.account(kind, account, 'limit_after_work');
    const cwd = lane();
    const made = twoSteps(words);
    const result = await world.run({ kind, account, prompt: framePrompt(made.job, made.plan), cwd });
    assert.equal(result.outcome, 'failed', result.message);
    assert.equal(result.limit?.resets_at, new Date(world.server.reset * 1000).toISOString());
    assert.equal(read(cwd, 'first.txt'), 'one\n');
    assert.throws(() => read(cwd, 'second.txt'), { code: 'ENOENT' });
    const session = result.session_id ?? assert.fail('it told no session');
    return { ...made, cwd, session, said: result.result_text ?? '' };
  }

  for (const kind of ['claude', 'codex'] as const) {
    it(`go on under another account of ${kind} after a limit, with all that was said and done`, async () => {
      const words = `Write two files as ${kind}.`;
      const spent = await reachLimit(kind, words);
      world.account(kind, '@fresh');
      const { cwd, session } = spent;
      const [from, to] = [await world.find(kind, '@spent'), await world.find(kind, '@fresh')];
      assert.match((await mayContinue(from.kind, world.environment)) ?? '', /ak consent add continue:/);
      assert.deepEqual(
        [await sessionIn(kind, '@spent', session, cwd), await sessionIn(kind, '@fresh', session, cwd)],
        [true, false],
      );
      const [before, there] = [
        contentsOf(world.home(kind, '@spent')),
        contentsOf(world.home(kind, '@fresh')),
      ];
      await from.kind.carrySession?.(from.profile, to.profile, session, cwd);
      assert.equal(await sessionIn(kind, '@fresh', session, cwd), true);
      const added = [...contentsOf(world.home(kind, '@fresh'))].filter(([name]) => !there.has(name));
      assert.equal(added.length, 1, `more than one file was copied: ${added.join()}`);
      const carried = readFileSync(join(world.home(kind, '@fresh'), added[0]?.[0] ?? ''), 'utf8');
      for (const token of world.tokens(kind)) assert.equal(carried.includes(token), false, 'a login in it');

      const prompt = continuePrompt(spent.job, spent.plan);
      const result = await world.run({ kind, account: '@fresh', prompt, resume: session, cwd });
      assert.equal(result.outcome, 'succeeded', result.message);
      assert.equal(result.session_id, session);
      assert.equal(read(cwd, 'second.txt'), 'one\n');
      const senders = world.accountsThatSent('Your previous turn was ended');
      assert.deepEqual(
        senders.filter((account) => account.startsWith(kind)),
        [`${kind}/@fresh`],
      );
      const { told, results } = lastRequest();
      assert.match(told.join('\n'), new RegExp(`${words}[^]*Your previous turn was ended by a limit`));
      assert.equal(results.length, 2, 'the model was told of the tool that was used before, and of its own');
      assert.deepEqual(contentsOf(world.home(kind, '@spent')), before, 'the first account was touched');
      // What went on begins with what was carried: carrying it again changes nothing.
      const later = contentsOf(world.home(kind, '@fresh'));
      await from.kind.carrySession?.(from.profile, to.profile, session, cwd);
      assert.deepEqual(contentsOf(world.home(kind, '@fresh')), later);
    });

    it(`do not go on under another account of ${kind} without being carried there`, async () => {
      const {
        job: api,
        plan: made,
        cwd,
        session,
      } = await reachLimit(kind, `Write as ${kind}, alone.`, '@left');
      world.account(kind, '@stranger');
      const prompt = continuePrompt(api, made);
      const result = await world.run({ kind, account: '@stranger', prompt, resume: session, cwd });
      assert.equal(result.outcome, 'failed');
      assert.match(result.message ?? '', /No conversation found|no rollout found/);
      assert.throws(() => read(cwd, 'second.txt'), { code: 'ENOENT' });
    });
  }

  it('are handed over from claude to codex, which is told what is there', async () => {
    const spent = await reachLimit('claude', 'Write two files, whoever you are.', '@ending');
    const { cwd } = spent;
    world.account('codex', '@taking');
    const git = (...args: string[]) => world.git('-C', cwd, ...args);
    git('add', 'first.txt');
    git('commit', '--quiet', '-m', 'Add the first file');
    const prompt = handoverPrompt(spent.job, spent.plan, {
      account: 'claude/@ending',
      reason: 'the 5h limit of claude/@ending is reached.',
      commits: git('log', '--format=%h %s', 'main..HEAD').split('\n'),
      changed: git('diff', '--name-only', 'main').split('\n'),
      said: spent.said,
    });
    const result = await world.run({ kind: 'codex', account: '@taking', prompt, cwd });
    assert.equal(result.outcome, 'succeeded', result.message);
    assert.notEqual(result.session_id, spent.session);
    const told = lastRequest().told.join('\n');
    assert.ok(told.includes(prompt), told);
    assert.match(told, /^> [0-9a-f]{7,} Add the first file$/m);
    assert.match(told, /^> first\.txt$/m);
    assert.deepEqual([read(cwd, 'first.txt'), read(cwd, 'second.txt')], ['one\n', 'one\n']);
  });

  for (const kind of kindNames) {
    it(`of ${kind} are told more in their own session, also when all of us began anew since`, async () => {
      world.account(kind, '@told');
      const cwd = lane();
      const words = `Write two files as ${kind}, then listen.`;
      const made = twoSteps(words);
      const first = await world.run({
        kind,
        account: '@told',
        prompt: framePrompt(made.job, made.plan),
        cwd,
      });
      assert.equal(first.outcome, 'succeeded', first.message);
      const session = first.session_id ?? assert.fail('it told no session');
      // Kinds and profiles are made anew for each run, and nothing of the first one lives.
      assert.deepEqual(world.living(), []);
      assert.equal(await sessionIn(kind, '@told', session, cwd), true);
      assert.equal(
        await sessionIn(
          kind,
          '@told',
          session.replace(/.$/, (end) => (end === '0' ? '1' : '0')),
          cwd,
        ),
        false,
      );
      const prompt = tellPrompt('Say it again, `please` $(no).', made.job, made.plan);
      const second = await world.run({ kind, account: '@told', prompt, resume: session, cwd });
      assert.equal(second.outcome, 'succeeded', second.message);
      assert.equal(second.session_id, session);
      const { told, results } = lastRequest();
      assert.ok(told.join('\n').includes(prompt.trimEnd()));
      assert.match(told.join('\n'), new RegExp(`${words}[^]*Say it again`));
      assert.equal(results.length, 2);
      assert.equal(await sessionIn(kind, '@told', session, cwd), true);
    });
  }
});

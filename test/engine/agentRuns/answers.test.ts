import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { listLeases } from '../../../src/engine/accounts/leases.ts';
import { recorded } from '../agents/claude/recorded.ts';
import { RunWorld } from './runWorld.ts';

const session = '11111111-2222-4333-8444-555555555555';

describe('what ak run answers', function () {
  this.timeout(60_000);
  let world: RunWorld;
  beforeEach(() => (world = new RunWorld()));
  afterEach(() => world.dispose());

  it('is the result on standard output, with progress on standard error', async () => {
    const { code, out, err } = await world.ak(['run', 'claude', '@work', '--', 'Say hello']);
    assert.deepEqual([code, out], [0, 'Hello from the model.\n'], err);
    assert.match(err, /^claude\/@work in .*repo; its record: .*\n/);
    assert.match(err, /\nHello from the model\.\n/);
    assert.match(err, new RegExp(`go on with: ak run claude @work --resume ${session}\n$`));
  });

  it('is the result alone with --quiet, and one object with --json or --output-format json', async () => {
    const quiet = await world.ak(['run', 'claude', '@work', '--quiet', '--', 'Say hello']);
    assert.deepEqual(quiet, { code: 0, out: 'Hello from the model.\n', err: '' });
    for (const flags of [['--json'], ['--output-format', 'json'], ['--output-format=json']]) {
      const { out } = await world.ak(['run', 'claude', '@work', ...flags, '--', 'Say hello']);
      assert.equal((JSON.parse(out) as { schema: string }).schema, 'run-v1');
    }
    const words = await world.ak(['run', 'claude', '@work', '--quiet', '--', 'Explain', '--json']);
    assert.equal(words.out, 'Hello from the model.\n', 'a word of the prompt was taken for an option');
  });

  it('has every field of the contract', async () => {
    const answer = await world.run(['claude', '@work', '--', 'Say hello']);
    const { duration_s, run_folder, ...rest } = answer;
    assert.ok(duration_s > 0 && duration_s < 30);
    assert.equal(run_folder?.startsWith(join(world.root, 'state', 'agentkit', 'runs')), true);
    assert.deepEqual(rest, {
      interface: 1,
      schema: 'run-v1',
      kind: 'claude',
      profile: '@work',
      cwd: world.repo,
      exit: 0,
      result_text: 'Hello from the model.',
      cli_exit: 0,
      truncated: false,
      session_id: session,
      usage: { input_tokens: 123, output_tokens: 12, cost_usd: 0.000732 },
    });
  });

  it('comes from the account that was named, in the folder that was named, with our marks', async () => {
    const during = `
      const marks = Object.entries(process.env).filter(([name]) => name.startsWith('AGENTKIT_'));
      fs.writeFileSync('marks.json', JSON.stringify(Object.fromEntries(marks)));
      process.stdout.write(${JSON.stringify(recorded('success.jsonl'))});`;
    world.answer({ during });
    const { run_folder, cwd } = await world.run(['claude', '@WORK', '--cwd', '..', '--', 'x']);
    assert.equal(cwd, world.root);
    const [call] = world.prompts();
    assert.deepEqual([call?.cwd, call?.configFolder], [world.root, world.profile('work')]);
    const id = run_folder?.split('/').at(-1);
    const marks = JSON.parse(readFileSync(join(world.root, 'marks.json'), 'utf8')) as Record<string, string>;
    assert.deepEqual(
      [
        marks['AGENTKIT_ACTIVE_ACCOUNT'],
        marks['AGENTKIT_RUN'],
        marks['AGENTKIT_ATTEMPT'],
        marks['AGENTKIT_LANE'],
      ],
      ['claude/@work', id, `run/${id}`, undefined],
    );
    assert.deepEqual(readdirSync(world.home), [], 'the home of the machine was touched');
    assert.deepEqual(await listLeases(world), []);
    await world.quiet();
  });

  it('leaves a record for its owner alone, in which nothing has the shape of a secret', async () => {
    const token = `ghp_${'a1B2'.repeat(9)}`;
    const run = recorded('success.jsonl').replaceAll('Hello from the model.', `The token is ${token}`);
    world.answer({ run });
    const answer = await world.run(['claude', '@work', '--', 'x'], {
      env: { MY_API_KEY: 'quite-a-long-value' },
    });
    assert.equal(answer.result_text, 'The token is [redacted]');
    const folder = answer.run_folder ?? '';
    assert.equal(statSync(folder).mode & 0o777, 0o700);
    for (const name of readdirSync(folder)) {
      assert.equal(statSync(join(folder, name)).mode & 0o077, 0, name);
      assert.doesNotMatch(readFileSync(join(folder, name), 'utf8'), /ghp_|quite-a-long-value/, name);
    }
    for (const name of ['launch.json', 'prompt.md', 'transcript.jsonl', 'result.json'])
      assert.ok(existsSync(join(folder, name)), name);
  });

  it('has at most 64 KiB of a result, and says that it is cut', async () => {
    world.answer({ run: recorded('success.jsonl').replaceAll('Hello from the model.', 'ü'.repeat(50_000)) });
    const answer = await world.run(['claude', '@work', '--', 'x']);
    assert.deepEqual([Buffer.byteLength(answer.result_text), answer.truncated], [64 * 1024, true]);
  });

  it('has no control characters for a terminal, in its text and in its progress', async () => {
    world.answer({
      run: recorded('success.jsonl').replaceAll('Hello from the model.', 'a\\u001b]0;owned\\u0007\\u009b2Jb'),
    });
    const { out, err } = await world.ak(['run', 'claude', '@work', '--', 'x']);
    assert.match(out, /^a.*owned.*b\n$/);
    assert.doesNotMatch(out + err, /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/);
  });
});

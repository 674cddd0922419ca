import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { recorded } from '../agents/claude/recorded.ts';
import { RunWorld } from './runWorld.ts';

describe('ak run with bad input', function () {
  this.timeout(60_000);
  let world: RunWorld;
  beforeEach(() => (world = new RunWorld()));
  afterEach(async () => {
    await world.quiet();
    await world.dispose();
  });

  async function refuses(args: string[], exit: number, message: RegExp, env = {}): Promise<void> {
    const answer = await world.run([...args, '--', 'x'], { env });
    assert.equal(answer.exit, exit, `${args.join(' ')}: ${answer.error?.message}`);
    assert.match(answer.error?.message ?? '', message);
    assert.doesNotMatch(answer.error?.message ?? '', /\n/, 'more than one line');
    assert.deepEqual(world.prompts(), []);
  }

  it('answers wrong flags with 2 and one object', async () => {
    await refuses(['claude', '@work', '--nonsense'], 2, /unknown option '--nonsense'/);
    await refuses([], 2, /^The kind of agent is missing/);
    await refuses(['claude', '--timeout', '0'], 2, /at least 1/);
    await refuses(['claude', '--timeout', 'soon'], 2, /whole number/);
    await refuses(['claude', '--timeout', '99999999'], 2, /at most 2147483 seconds/);
    await refuses(['claude', '--output-format', 'xml'], 2, /text, json/);
    await refuses(['claude', '--model', ''], 2, /must not be empty/);
    await refuses(['claude', '@work', '--ask', '--auto'], 2, /--ask and --auto contradict/);
    await refuses(['claude', '@work', '--read-only', '--auto'], 2, /--read-only implies --ask/);
    await refuses(['claude', '@work', '--lane', 'a', '--cwd', '.'], 2, /--lane and --cwd contradict/);
    await refuses(['claude', '@work'], 2, /AGENTKIT_PERMISSIONS/, { AGENTKIT_PERMISSIONS: 'maybe' });
  });

  it('answers a kind, a profile or a folder that is not there with 3, and a name that is a path with 2', async () => {
    writeFileSync(join(world.root, 'file'), '');
    await refuses(['martian'], 3, /no kind "martian"; this version knows .*claude/);
    await refuses(['claude', '@nobody'], 3, /no account claude\/@nobody; make it with: ak profiles add/);
    await refuses(['claude', '@../x'], 2, /no name of a profile/);
    await refuses(['claude', '@work', '--cwd', join(world.root, 'none')], 3, /no folder .*none/);
    await refuses(['claude', '@work', '--cwd', join(world.root, 'file')], 3, /no folder .*file/);
    await refuses(['claude', '@work', '--lane', 'none'], 3, /no lane "none"/);
    assert.equal((await world.run(['claude', '@work', '--', 'x'])).exit, 0);
  });

  it('refuses a profile that is a link with 6', async () => {
    mkdirSync(join(world.root, 'elsewhere'));
    symlinkSync(join(world.root, 'elsewhere'), world.profile('linked'));
    await refuses(['claude', '@linked'], 6, /linked is a link/);
  });

  it('refuses a profile that others may write with 6', async () => {
    chmodSync(world.profile('work'), 0o777);
    await refuses(['claude', '@work'], 6, /claude\/work can be written by anybody; .*chmod o-w/);
    chmodSync(world.profile('work'), 0o700);
    assert.equal((await world.run(['claude', '@work', '--', 'x'])).exit, 0);
  });

  it('answers a CLI that is not installed with 3 and its cure, whether or not an account is named', async () => {
    const env = { PATH: '/usr/bin:/bin' };
    await refuses(['claude', '@work'], 3, /not installed.*npm install -g @anthropic-ai\/claude-code/, env);
    await refuses(['claude'], 3, /not installed.*npm install -g @anthropic-ai\/claude-code/, env);
  });

  it('answers a login that is missing with 3 before the prompt is sent', async () => {
    world.answer({ status: recorded('status-none.json') });
    await refuses(['claude', '@work'], 3, /not logged in.*claude auth login/);
    world.answer({});
    assert.equal((await world.run(['claude', '@work', '--', 'x'])).exit, 0);
  });

  it('answers a login that the vendor refuses with 3, in the words of the vendor', async () => {
    world.answer({ run: recorded('login-expired.jsonl'), exit: 1 });
    const answer = await world.run(['claude', '@work', '--', 'x']);
    assert.deepEqual([answer.exit, answer.cli_exit, answer.error?.reason], [3, 1, 'not_logged_in']);
    assert.equal(answer.refused?.reason, 'not_logged_in');
    assert.match(answer.error?.message ?? '', /claude\/@work is not logged in; /);
  });

  it('answers a limit with 1, the window and its reset', async () => {
    world.answer({ run: recorded('limit-5h.jsonl'), exit: 1 });
    const answer = await world.run(['claude', '@work', '--', 'x']);
    assert.deepEqual([answer.exit, answer.cli_exit, answer.refused], [1, 1, undefined]);
    assert.equal(answer.limit?.window, '5h');
    assert.match(answer.limit.resets_at ?? '', /^20\d\d-.*Z$/);
    assert.match(answer.error?.message ?? '', /the 5h limit of claude\/@work is reached; resets at 20/);
  });

  it('answers nothing, garbage and half a record with 1, whatever the exit code says', async () => {
    const half = recorded('success.jsonl').trimEnd().slice(0, -20);
    for (const run of ['', 'garbage \u0000\u0001\n'.repeat(1000), half]) {
      world.answer({ run });
      const answer = await world.run(['claude', '@work', '--', 'x']);
      assert.deepEqual([answer.exit, answer.cli_exit, answer.result_text], [1, 0, '']);
      assert.match(answer.error?.message ?? '', /exit code 0: its stream has no success record/);
    }
    // A whole record without a line end counts.
    world.answer({ run: recorded('success.jsonl').trimEnd() });
    assert.equal((await world.run(['claude', '@work', '--', 'x'])).exit, 0);
  });

  it('gets through a flood without a line end, and says that something is left out', async () => {
    world.answer({
      during: `
        const chunk = Buffer.alloc(1 << 20, 120);
        for (let i = 0; i < 200; i++) fs.writeSync(1, chunk);
        fs.writeSync(1, '\\n' + ${JSON.stringify(recorded('success.jsonl'))});`,
    });
    const { code, out, err } = await world.ak(['run', 'claude', '@work', '--json', '--', 'x']);
    const answer = JSON.parse(out) as { truncated: boolean; result_text: string };
    assert.deepEqual([code, answer.truncated, answer.result_text], [0, true, 'Hello from the model.']);
    assert.ok(err.length < 100_000, `${err.length} characters of progress`);
  });

  it('tells of a CLI that a signal ended, as shells do', async () => {
    world.answer({ during: 'process.kill(process.pid, "SIGKILL"); setInterval(() => {}, 1000);' });
    const answer = await world.run(['claude', '@work', '--', 'x']);
    assert.deepEqual([answer.exit, answer.cli_exit, answer.error?.reason], [1, 137, 'failed']);
    assert.match(answer.error?.message ?? '', /SIGKILL/);
  });

  it('answers a program that the system does not start with 3', async () => {
    // It tells its version and its login, and is broken by the time that it is to run.
    world.answer({
      first: `if (args[0] === 'auth') fs.writeFileSync(process.argv[1], '#!/no/such/interpreter\\n');`,
    });
    const answer = await world.run(['claude', '@work', '--', 'x']);
    assert.deepEqual([answer.exit, answer.cli_exit, answer.error?.reason], [3, null, 'not_installed']);
    assert.match(answer.error?.message ?? '', /claude cannot be started/);
  });

  it('says with 2 that HOME is not set', async () => {
    await refuses(['claude', '@work'], 2, /HOME is not set/, { HOME: undefined });
  });

  it('says what it may not write, and changes nothing', async function () {
    writeFileSync(join(world.root, 'blocked'), '');
    await refuses(['claude', '@work'], 2, /ENOTDIR/, { XDG_STATE_HOME: join(world.root, 'blocked', 'x') });
    if (process.getuid?.() === 0) return;
    const state = join(world.root, 'readonly');
    mkdirSync(state);
    chmodSync(state, 0o500);
    await refuses(['claude', '@work'], 3, /EACCES/, { XDG_STATE_HOME: state });
  });
});

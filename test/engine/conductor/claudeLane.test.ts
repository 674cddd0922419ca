import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { LaneView } from '../../../src/core/lanes/laneView.ts';
import { notYetReset, recorded } from '../agents/claude/recorded.ts';
import { StandInClaude, type StandInAnswers } from '../agents/claude/standInClaude.ts';
import { DemoWorld } from './demoWorld.ts';

/** Plans for Claude Code, with a stand-in that replays recorded runs in place of the CLI. */
describe('a lane of Claude Code', function () {
  this.timeout(60_000);
  let world: DemoWorld;
  let standIn: StandInClaude;

  function prepare(): void {
    world = new DemoWorld([]);
    standIn = new StandInClaude(world.root);
    mkdirSync(join(world.root, 'profiles', 'claude', 'work'), { recursive: true, mode: 0o700 });
    world.environment['PATH'] = `${standIn.folder}:${process.env['PATH']}`;
    // As root, agents work without asking only where the person says that it is a sandbox.
    world.environment['IS_SANDBOX'] = '1';
    world.environment['ANTHROPIC_API_KEY'] = 'not a key';
  }

  beforeEach(prepare);
  afterEach(() => world.dispose());

  /** Answers of a CLI in which somebody is logged in, with room. */
  function loggedIn(email: string): StandInAnswers {
    return {
      version: '2.1.332 (Claude Code)',
      status: JSON.stringify({ loggedIn: true, authMethod: 'claude.ai', email, orgId: 'o' }, null, 1),
      usage: recorded('usage-limits.jsonl').replaceAll('2026-', '2099-'),
    };
  }

  async function laneOf(answers: StandInAnswers): Promise<LaneView> {
    standIn.answer({ ...loggedIn('me@example.invalid'), ...answers });
    const kit = await world.kit();
    const job = { id: 'job', steps: [], kind: undefined, account: 'claude/@work', model: 'opus' };
    const { atRest } = await kit.startRun({ text: world.plan([job]) });
    const [lane] = (await atRest).lanes;
    assert.ok(lane);
    return lane;
  }

  it('goes through gate to ready under its account, with its prompt on standard input only', async () => {
    const lane = await laneOf({ run: recorded('success.jsonl'), writes: 'job.txt' });
    assert.equal(lane.state, 'ready', lane.why_not.join());
    assert.equal(lane.attempts[0]?.session_id, '11111111-2222-4333-8444-555555555555');
    const call = standIn.calls().find(({ prompt }) => prompt?.includes('Do job.'));
    assert.ok(call, 'it gets the prompt');
    assert.doesNotMatch(call?.args.join(' ') ?? '', /Do job/);
    assert.ok(call?.args.includes('--model=opus'));
    assert.equal(call?.configFolder, join(world.root, 'profiles', 'claude', 'work'));
    assert.deepEqual(call?.vendorVariables.toSorted(), [
      'CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC',
      'CLAUDE_CONFIG_DIR',
    ]);
  });

  it('is blocked at the limit of its only account, which it names with the reset', async () => {
    const lane = await laneOf({ run: notYetReset('limit-midrun.jsonl'), writes: 'job.txt', exit: 1 });
    assert.equal(lane.state, 'blocked');
    assert.match(
      lane.why_not.join('\n'),
      /claude\/@work: a run reached its 5h limit; it ends at 2100-01-01T00:00:00\.000Z/,
    );
  });

  it('fails where it was not permitted to do its work, and names what; not where it did it otherwise', async () => {
    const lane = await laneOf({ run: recorded('not-permitted.jsonl') });
    assert.equal(lane.state, 'failed');
    assert.equal(
      lane.why_not[1],
      'The agent ended without an error but changed nothing; it was not permitted to use Write.',
    );
    await world.dispose();
    prepare();
    const other = await laneOf({ run: recorded('not-permitted.jsonl'), writes: 'job.txt' });
    assert.equal(other.state, 'ready', other.why_not.join());
  });

  it('is blocked by a refusal where no other account is left, and tells that from a limit', async () => {
    const lane = await laneOf({ run: recorded('login-expired.jsonl'), exit: 1 });
    assert.equal(lane.state, 'blocked', lane.why_not.join());
    assert.match(lane.why_not.join('\n'), /claude\/@work is not logged in/);
    assert.doesNotMatch(lane.why_not.join('\n'), /limit/);
  });

  it('takes neither an exit code for a success nor words about limits for a limit', async () => {
    const lane = await laneOf({ run: recorded('sigint.jsonl'), writes: 'job.txt', exit: 0 });
    assert.equal(lane.state, 'failed');
    const words = recorded('success.jsonl').replaceAll(
      'Hello from the model.',
      'I hit the rate limit (429).',
    );
    await world.dispose();
    prepare();
    assert.equal((await laneOf({ run: words, writes: 'job.txt' })).state, 'ready');
  });

  it('says what to do where the agent may not start as root', async function () {
    if (process.getuid?.() !== 0) return this.skip();
    delete world.environment['IS_SANDBOX'];
    const lane = await laneOf({ run: recorded('success.jsonl'), writes: 'job.txt' });
    assert.equal(lane.state, 'failed');
    assert.match(lane.why_not.join('\n'), /as root.*IS_SANDBOX=1/);
    assert.ok(
      standIn
        .calls()
        .every(
          ({ args }) =>
            !args.includes('--output-format=stream-json') || args.includes('--input-format=stream-json'),
        ),
    );
  });
});

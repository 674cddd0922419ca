import assert from 'node:assert/strict';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { LaneView } from '../../../src/core/lanes/laneView.ts';
import { releaseLease, takeLease } from '../../../src/engine/accounts/leases.ts';
import type { AgentKit } from '../../../src/engine/agentKit.ts';
import { addConsent, removeConsent } from '../../../src/engine/person/consents.ts';
import { notYetReset, recorded } from '../agents/claude/recorded.ts';
import { StandInClaude } from '../agents/claude/standInClaude.ts';
import { poll } from '../process/stepFixture.ts';
import { DemoWorld } from './demoWorld.ts';

const session = '11111111-2222-4333-8444-555555555555';
const word = 'continue:claude';

/** A stand-in for Claude Code that reaches the limit of @spare in the middle of its work, and ends it as @work. */
describe('a conversation that a limit ended', function () {
  this.timeout(90_000);
  let world: DemoWorld;
  let standIn: StandInClaude;
  let kit: AgentKit;

  beforeEach(async () => {
    world = new DemoWorld([]);
    const ports = { PORT: '46500-46900' };
    world.write('agentkit.yaml', JSON.stringify({ version: 1, worktree: { ports } }));
    world.git('add', 'agentkit.yaml');
    world.git('commit', '--quiet', '-m', 'settings');
    standIn = new StandInClaude(world.root);
    for (const name of ['spare', 'work'])
      mkdirSync(join(world.root, 'profiles', 'claude', name), { recursive: true, mode: 0o700 });
    world.environment['PATH'] = `${standIn.folder}:${process.env['PATH']}`;
    world.environment['IS_SANDBOX'] = '1';
    const status = JSON.stringify(
      { loggedIn: true, authMethod: 'claude.ai', email: '{profile}', orgId: 'o' },
      null,
      1,
    );
    const said = JSON.stringify({ type: 'user', message: { role: 'user', content: 'Do job.' } });
    const limit = JSON.stringify(notYetReset('limit-midrun.jsonl'));
    standIn.answer({
      version: '2.1.332 (Claude Code)',
      status,
      usage: recorded('usage-limits.jsonl').replaceAll('2026-', '2099-'),
      run: notYetReset('success.jsonl'),
      writes: 'job.txt',
      first: `call.entries = [String(process.env.PORT)];
        if (args[0] === '--print' && process.env.AGENTKIT_LANE && /spare$/.test(process.env.CLAUDE_CONFIG_DIR)) {
          const folder = process.env.CLAUDE_CONFIG_DIR + '/projects/begun';
          fs.mkdirSync(folder, { recursive: true });
          fs.writeFileSync(folder + '/${session}.jsonl', ${JSON.stringify(said)} + '\\n');
          Object.assign(answers, { run: ${limit}, exit: 1 });
        }`,
    });
    kit = await world.kit('editor');
  });
  afterEach(() => world.dispose());

  /** Resolves once the run has begun, to how its lane ends. */
  async function start(): Promise<{ end: Promise<LaneView> }> {
    const accounts = ['claude/@spare', 'claude/@work'];
    const text = world.plan([{ id: 'job', steps: [], kind: 'claude' }], { accounts, on_limit: 'continue' });
    const { atRest } = await kit.startRun({ text });
    return { end: atRest.then(({ lanes }) => lanes[0] ?? assert.fail()) };
  }

  const attemptsOf = ({ attempts }: LaneView) => attempts.map(({ account, outcome }) => [account, outcome]);
  /** The calls in which an agent works. */
  const atWork = () => standIn.calls().filter(({ args }) => args[0] === '--print' && !isQuota(args));
  const isQuota = (args: readonly string[]) => args.includes('--input-format=stream-json');
  const carried = () =>
    join(world.root, 'profiles', 'claude', 'work', 'projects', 'begun', `${session}.jsonl`);

  it('stays with its account until the person says that it may go on under another', async () => {
    const lane = await (await start()).end;
    assert.deepEqual([lane.state, attemptsOf(lane)], ['failed', [['claude/@spare', 'failed']]]);
    assert.match(lane.why_not.join(' '), /is yours to say, once: ak consent add continue:claude/);
    assert.ok(!existsSync(carried()));
  });

  it('goes on under another once the person has said so, and each agent has the ports of the lane', async () => {
    await addConsent(world.environment, word, ['claude']);
    const lane = await (await start()).end;
    assert.equal(lane.state, 'ready', lane.why_not.join(' '));
    assert.deepEqual(attemptsOf(lane), [
      ['claude/@spare', 'failed'],
      ['claude/@work', 'succeeded'],
    ]);
    const [first, second] = atWork();
    assert.ok(!first?.args.some((arg) => arg.startsWith('--resume')));
    assert.ok(second?.args.includes(`--resume=${session}`));
    const port = String(lane.ports['PORT']);
    assert.match(port, /^46\d\d\d$/);
    assert.deepEqual([first?.entries, second?.entries], [[port], [port]]);
  });

  it('does not go on where the person took that back before the next agent began', async () => {
    await addConsent(world.environment, word, ['claude']);
    const held = { account: 'claude/@work', owner: 'somebody else', environment: world.environment };
    assert.ok(await takeLease(held));
    const { end } = await start();
    await poll('a lane that waits for another account', 60_000, async () => {
      const { state, attempts } = await kit.findLane('job');
      return state === 'queued' && attempts.length === 1 ? true : undefined;
    });
    await removeConsent(world.environment, word);
    await releaseLease(held);
    const lane = await end;
    assert.deepEqual(
      [lane.state, attemptsOf(lane).map(([account]) => account)],
      ['failed', ['claude/@spare', 'claude/@work']],
    );
    assert.match(lane.why_not.join(' '), /is yours to say, once: ak consent add continue:claude/);
    assert.equal(atWork().length, 1, 'the second agent was started');
    assert.ok(!existsSync(carried()));
  });
});

import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AgentKitError } from '../../../../src/core/agentKitError.ts';
import { createClaudeKind } from '../../../../src/engine/agents/claude/claude.ts';
import { recorded } from './recorded.ts';
import { StandInClaude } from './standInClaude.ts';

const version = '2.1.332 (stand-in for Claude Code)\n';

describe('claude kind', function () {
  this.timeout(30_000);
  let root = '';
  let standIn: StandInClaude;
  let environment: Record<string, string | undefined>;

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), "agentkit it's ü "));
    standIn = new StandInClaude(root);
    environment = {
      PATH: standIn.folder,
      HOME: join(root, 'home'),
      TMPDIR: process.env['TMPDIR'],
      ANTHROPIC_API_KEY: 'not a key',
      CLAUDE_CONFIG_DIR: '/elsewhere',
    };
    mkdirSync(join(root, 'home'));
    mkdirSync(join(root, 'work'));
  });
  afterEach(() => rmSync(root, { recursive: true }));

  const kind = (userId = 1000) => createClaudeKind({ environment, userId });
  const own = { kind: 'claude', name: '@default', folder: null };
  const work = () => ({ kind: 'claude', name: '@work', folder: join(root, 'work') });

  describe('launch', () => {
    it('selects the profile by its folder, and the own home by nothing', () => {
      const traffic = { CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1' };
      const { argv, env } = kind().launch(work(), { posture: 'auto' });
      assert.equal(argv[0], join(standIn.folder, 'claude'));
      assert.deepEqual(env, { CLAUDE_CONFIG_DIR: join(root, 'work'), ...traffic });
      assert.deepEqual(kind().launch(own, { posture: 'auto' }).env, traffic);
    });

    it('says how to install a CLI that is missing, and has no own account then', () => {
      assert.equal(kind().hasDefaultProfile, true);
      environment['PATH'] = root;
      assert.equal(kind().hasDefaultProfile, false);
      assert.throws(() => kind().launch(own, { posture: 'auto' }), reasonIs('not_installed', /npm install/));
    });

    it('does not work without asking as root, unless the person calls the machine a sandbox', () => {
      const launch = (posture: 'auto' | 'ask') => () => kind(0).launch(own, { posture });
      assert.throws(launch('auto'), reasonIs('refused', /as root.*IS_SANDBOX=1/));
      assert.doesNotThrow(launch('ask'));
      environment['IS_SANDBOX'] = '1';
      assert.doesNotThrow(launch('auto'));
    });
  });

  describe('quota', () => {
    const read = (usage: string, more: object = {}) => {
      standIn.answer({ usage, ...more });
      return kind().readUsage(work());
    };

    it('asks the CLI itself, under the profile, in an empty folder that is gone afterwards', async () => {
      const answer = await read(recorded('usage-limits.jsonl'));
      assert.equal(answer.status, 'ok');
      assert.equal(answer.plan, 'max');
      assert.deepEqual(
        answer.windows.map(({ id, free_pct }) => [id, free_pct]),
        [
          ['5h', 58],
          ['weekly', 83],
          ['weekly:fable', 12],
        ],
      );
      assert.equal(answer.read_at, undefined);
      const [call, ...others] = standIn.calls();
      assert.deepEqual(others, []);
      assert.deepEqual(JSON.parse(call?.prompt ?? ''), {
        type: 'control_request',
        request_id: 'agentkit-usage',
        request: { subtype: 'get_usage', skip_behaviors: true },
      });
      assert.equal(call?.open, true);
      assert.equal(call.configFolder, join(root, 'work'));
      assert.deepEqual(call.entries, []);
      assert.equal(existsSync(call.cwd), false);
      assert.deepEqual(call.vendorVariables.sort(), [
        'CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC',
        'CLAUDE_CONFIG_DIR',
      ]);
    });

    it('dates numbers that may be old by the state of the CLI, and new ones not', async () => {
      const fetched = Date.now() - 1_800_000;
      const cachedUsageUtilization = { fetchedAtMs: fetched };
      writeFileSync(join(root, 'work', '.claude.json'), JSON.stringify({ cachedUsageUtilization }));
      const old = await read(recorded('usage-cached.jsonl'));
      assert.equal(old.read_at, new Date(fetched).toISOString());
      assert.equal(old.windows.length, 2);
      assert.equal((await read(recorded('usage-limits.jsonl'))).read_at, undefined);
    });

    for (const state of ['', '{', '{"cachedUsageUtilization":{"fetchedAtMs":9e15}}', '[]']) {
      it(`gives no date to numbers by a state file with ${state || 'nothing'}`, async () => {
        writeFileSync(join(root, 'work', '.claude.json'), state);
        const answer = await read(recorded('usage-cached.jsonl'));
        assert.equal(answer.status, 'ok');
        assert.equal(answer.read_at, undefined);
      });
    }

    it('calls an account with a full window rate limited, but not for the window of one model', async () => {
      const full = recorded('usage-limits.jsonl').replace('"utilization": 17', '"utilization": 104');
      const answer = await read(full);
      assert.equal(answer.status, 'rate_limited');
      assert.equal(answer.windows[1]?.used_pct, 100);
      const model = recorded('usage-limits.jsonl').replace('"percent": 88', '"percent": 100');
      assert.equal((await read(model)).status, 'ok');
    });

    it('keeps what could not be read apart from what there is not, and says the cure', async () => {
      const failed = await read(recorded('usage-failed.jsonl'));
      assert.deepEqual([failed.status, failed.plan], ['unknown', 'max']);
      assert.match(failed.reason ?? '', /could not read the quota/);
      const key = await read(recorded('usage-api-key.jsonl'), { status: recorded('status-api-key.json') });
      assert.equal(key.status, 'unknown');
      assert.match(key.reason ?? '', /API key/);
      const token = await read(recorded('usage-api-key.jsonl'), { status: recorded('status-token.json') });
      assert.equal(token.status, 'unknown');
      assert.match(token.reason ?? '', /long-lived token.*claude auth login/);
      const nobody = await read(recorded('usage-logged-out.jsonl'), { status: recorded('status-none.json') });
      assert.equal(nobody.status, 'not_logged_in');
      assert.match(nobody.reason ?? '', /CLAUDE_CONFIG_DIR='.*it'\\''s.*' claude auth login/);
    });

    for (const [what, answers, reason] of [
      ['prints nothing and ends', { first: 'process.exit(7)' }, /exit code 7/],
      [
        'prints garbage',
        { usage: 'garbage\n{"half":', first: 'setTimeout(() => process.exit(0), 300)' },
        /ended/,
      ],
      ['says why it ends', { first: 'console.error("It is broken"); process.exit(1)' }, /It is broken/],
      ['answers in a new shape', { usage: changedAnswer() }, /shape/],
      [
        'knows no window',
        { usage: changedAnswer({ rate_limits_available: true, rate_limits: {} }) },
        /no quota window/,
      ],
      [
        'tells a window in numbers that make no sense',
        {
          usage: changedAnswer({
            rate_limits_available: true,
            rate_limits: { five_hour: { utilization: -4, resets_at: null }, seven_day: { utilization: 5 } },
          }),
        },
        /no numbers that this version understands for its window five_hour/,
      ],
      [
        'floods',
        { first: 'for (let i = 0; i < 400; i++) require("fs").writeSync(1, "x".repeat(65536))' },
        /ended|time/,
      ],
    ] as const) {
      it(`makes an account unknown whose CLI ${what}`, async () => {
        standIn.answer(answers);
        const answer = await kind().readUsage(own);
        assert.equal(answer.status, 'unknown');
        assert.match(answer.reason ?? '', reason);
        assert.deepEqual(answer.windows, []);
      });
    }

    it('asks one account after the other', async () => {
      standIn.answer({ usage: recorded('usage-limits.jsonl') });
      const busy = join(root, 'busy');
      const alone = `const fs = require('fs'); fs.mkdirSync(${JSON.stringify(busy)}); process.on('exit', () => fs.rmdirSync(${JSON.stringify(busy)}))`;
      standIn.answer({ usage: recorded('usage-limits.jsonl'), first: alone });
      const claude = kind();
      const answers = await Promise.all([1, 2, 3].map(() => claude.readUsage(own)));
      assert.deepEqual(
        answers.map(({ status }) => status),
        ['ok', 'ok', 'ok'],
      );
    });

    it('says that the CLI is missing', async () => {
      environment['PATH'] = root;
      const answer = await kind().readUsage(own);
      assert.equal(answer.status, 'unknown');
      assert.match(answer.reason ?? '', /not installed/);
    });
  });

  describe('probe', () => {
    const probe = (status: string, userId?: number) => {
      standIn.answer({ version, status });
      return kind(userId).probe?.(work(), environment);
    };

    it('tells version and identity of a login, of both versions', async () => {
      const identity = 'fake@example.com 00000000-0000-4000-8000-000000000002';
      for (const name of ['status-plan.json', 'status-197-plan.json']) {
        assert.deepEqual(await probe(recorded(name)), { version: '2.1.332', login: 'ok', identity });
      }
      assert.deepEqual(await probe(recorded('status-plan-nameless.json')), {
        version: '2.1.332',
        login: 'ok',
      });
      assert.ok(standIn.calls().every((call) => call.configFolder === join(root, 'work')));
    });

    it('says how to log in', async () => {
      const answer = await probe(recorded('status-none.json'));
      assert.equal(answer?.login, 'not_logged_in');
      assert.match(answer.problem ?? '', /log in with: CLAUDE_CONFIG_DIR=.* claude auth login/);
    });

    it('says what is in the way of root', async () => {
      const answer = await probe(recorded('status-plan.json'), 0);
      assert.equal(answer?.login, 'ok');
      assert.match(answer.problem ?? '', /IS_SANDBOX=1/);
    });

    it('says what to do with a CLI that is missing or tells nonsense', async () => {
      assert.match((await probe('nonsense'))?.problem ?? '', /claude update/);
      standIn.answer({ version: 'who knows' });
      const odd = await kind().probe?.(own, environment);
      assert.deepEqual([odd?.version, odd?.login], [null, 'unknown']);
      const missing = await kind().probe?.(own, { ...environment, PATH: root });
      assert.equal(missing?.version, null);
      assert.match(missing?.problem ?? '', /npm install/);
    });
  });
});

function changedAnswer(response?: object): string {
  const answer = { request_id: 'agentkit-usage', subtype: 'success', response: response ?? { shape: 'new' } };
  return `${JSON.stringify({ type: 'control_response', response: answer })}\n`;
}

function reasonIs(reason: AgentKitError['reason'], message: RegExp) {
  return (error: unknown) =>
    error instanceof AgentKitError && error.reason === reason && message.test(error.message);
}

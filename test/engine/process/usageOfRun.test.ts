import assert from 'node:assert/strict';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { claudeUsageBefore } from '../../../src/engine/agents/claude/claudeUsageBefore.ts';
import { codexUsageBefore } from '../../../src/engine/agents/codex/codexUsageBefore.ts';
import { usageOfRun } from '../../../src/engine/process/usageOfRun.ts';
import { readRecording } from '../agents/readRecording.ts';
import { StepFixture } from './stepFixture.ts';

const recorded = (name: string) =>
  fileURLToPath(new URL(`../agents/recorded/${name}.jsonl`, import.meta.url));

describe('usage of a run', () => {
  const told = { input_tokens: 300, output_tokens: 30, cost_usd: 0.0019200000000000003 };

  it('is what is told, less what the session had used before', () => {
    const before = { input_tokens: 200, output_tokens: 20, cost_usd: 0.00128 };
    assert.deepEqual(usageOfRun(told, before), { input_tokens: 100, output_tokens: 10, cost_usd: 0.00064 });
    assert.deepEqual(usageOfRun(told, { cost_usd: 0 }), { ...told, cost_usd: 0.00192 });
    assert.deepEqual(usageOfRun(told, {}), told);
  });

  it('leaves out what cannot be known', () => {
    assert.deepEqual(usageOfRun(told, { cost_usd: null }), { input_tokens: 300, output_tokens: 30 });
    assert.deepEqual(usageOfRun(told, { input_tokens: 301, output_tokens: 30 }), {
      output_tokens: 0,
      cost_usd: told.cost_usd,
    });
    assert.deepEqual(usageOfRun({}, { input_tokens: 1, cost_usd: 1 }), {});
  });

  describe('that went on with a session', function () {
    this.timeout(60_000);
    const kinds = {
      claude: {
        stream: recorded('claude-resumed'),
        session: '8051bcd1-0e90-40e1-9b0b-206c5889cedf',
        before: recorded('claude-session'),
        file: (session: string) => `projects/-somewhere/${session}.jsonl`,
        all: { input_tokens: 100, output_tokens: 12, cost_usd: 0.00128 },
        own: { input_tokens: 100, output_tokens: 12, cost_usd: 0.00064 },
        unknown: { input_tokens: 100, output_tokens: 12 },
      },
      codex: {
        stream: recorded('codex/resumed'),
        session: '01a22a26-01a3-7d80-bf0a-35a4a24f482e',
        before: recorded('codex/rollout-success'),
        file: (session: string) => `sessions/2026/11/30/rollout-2026-11-30T08-10-48-${session}.jsonl`,
        all: { input_tokens: 300, output_tokens: 30 },
        own: { input_tokens: 100, output_tokens: 10 },
        unknown: undefined,
      },
    };
    let fixture: StepFixture;
    before(() => (fixture = new StepFixture()));
    after(() => fixture.close());

    for (const [kind, { stream, session, before: earlier, file, all, own, unknown }] of Object.entries(
      kinds,
    )) {
      const run = async (account: string, resume?: string) => {
        const folder = join(fixture.root, kind, account);
        mkdirSync(folder, { recursive: true });
        const code = `process.stdout.write(require('node:fs').readFileSync(process.argv[1]));`;
        const launch = fixture.launch({
          role: 'agent',
          kind,
          profile: { kind, name: `@${account}`, folder },
          ...(resume !== undefined && { resume }),
          argv: [process.execPath, '-e', code, stream],
        });
        const result = await fixture.run(launch);
        assert.equal(result.outcome, 'succeeded', result.message);
        return result.usage;
      };
      const put = (account: string, name: string) => {
        const path = join(fixture.root, kind, account, name);
        mkdirSync(dirname(path), { recursive: true });
        return path;
      };

      it(`is its own with ${kind}, by the file of the session`, async () => {
        cpSync(earlier, put('one', file(session)));
        assert.deepEqual(await run('one', session), own);
        assert.deepEqual(await run('one'), all, 'a session of its own is counted whole');
      });

      it(`is not guessed with ${kind} where its files do not tell`, async () => {
        assert.deepEqual(await run('none', session), unknown);
        cpSync(earlier, put('other', file(session.replace('0', '1'))));
        assert.deepEqual(await run('other', session), unknown);
        // What tells it stands before the end that is read.
        writeFileSync(
          put('long', file(session)),
          `${readFileSync(earlier, 'utf8')}${'{}\n'.repeat(1_000_000)}`,
        );
        assert.deepEqual(await run('long', session), unknown);
        mkdirSync(put('folder', file(session)));
        assert.deepEqual(await run('folder', session), unknown);
      });
    }

    it('is told by the last count, below HOME where it is the own account', async () => {
      const { codex, claude } = kinds;
      const own = (kind: string) => ({ kind, name: '@default', folder: null });
      const environment = { HOME: join(fixture.root, 'home') };
      const put = (file: string, ...texts: string[]) => {
        const path = join(environment.HOME, file);
        mkdirSync(dirname(path), { recursive: true });
        writeFileSync(path, texts.join('\n'));
      };
      const ofCodex = () => codexUsageBefore(own('codex'), codex.session, environment);
      put(`.codex/${codex.file(codex.session)}`, readFileSync(codex.before, 'utf8'), '{"token_count');
      assert.deepEqual(await ofCodex(), { input_tokens: 200, output_tokens: 20 });
      put(`.codex/${codex.file(codex.session)}`, readRecording('codex/rollout-limit').join('\n'));
      assert.deepEqual(await ofCodex(), { input_tokens: 0, output_tokens: 0 }, 'its model never answered');

      const ofClaude = () => claudeUsageBefore(own('claude'), claude.session, environment);
      const cost = (usd: number) => JSON.stringify({ type: 'cost-state', totalCostUSD: usd });
      put(`.claude/${claude.file(claude.session)}`, cost(1), cost(2), '{"cost-state"');
      assert.deepEqual(await ofClaude(), { cost_usd: 2 });
      put(`.claude/projects/-elsewhere/${claude.session}.jsonl`, cost(3));
      assert.deepEqual(await ofClaude(), { cost_usd: null }, 'two files are of the session');
    });
  });
});

import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { StepFixture } from '../../process/stepFixture.ts';

const recorded = (name: string) => fileURLToPath(new URL(`../recorded/codex/${name}.jsonl`, import.meta.url));
const thread = '01a22a26-01a3-7d80-bf0a-35a4a24f482e';

describe('step of codex', function () {
  this.timeout(60_000);
  let fixture: StepFixture;
  before(() => (fixture = new StepFixture()));
  after(() => fixture.close());

  /** Runs a step that prints a recorded stream, under a profile whose thread file is the given one. */
  async function run(stream: string, exit: number, rollout?: string) {
    const folder = join(fixture.root, `profile ${stream}`);
    const day = join(folder, 'sessions', '2026', '11', '30');
    mkdirSync(day, { recursive: true });
    if (rollout !== undefined) {
      copyFileSync(recorded(rollout), join(day, `rollout-2026-11-30T01-00-00-${thread}.jsonl`));
    }
    const code = `process.stdout.write(require('node:fs').readFileSync(process.argv[1])); process.exitCode = ${exit};`;
    return fixture.run(
      fixture.launch({
        role: 'agent',
        kind: 'codex',
        profile: { kind: 'codex', name: '@one', folder },
        argv: [process.execPath, '-e', code, recorded(stream)],
      }),
    );
  }

  it('succeeds with the last message as its answer', async () => {
    const result = await run('tool', 0);
    assert.deepEqual(
      [result.outcome, result.result_text, result.session_id],
      ['succeeded', 'The work is done.', thread],
    );
    assert.deepEqual(result.usage, { input_tokens: 200, output_tokens: 20 });
  });

  it('has the window and the reset of a limit from the file of its thread', async () => {
    const result = await run('limit', 1, 'rollout-limit');
    assert.equal(result.outcome, 'failed');
    assert.deepEqual(result.limit, { window: '5h', resets_at: '2026-11-30T03:51:49.000Z' });
    assert.deepEqual(
      result.windows?.map(({ id }) => id),
      ['5h', 'weekly'],
    );
  });

  it('still has a limit where there is no such file', async () => {
    assert.deepEqual((await run('limit-bare', 1)).limit, {});
  });

  it('has no limit after a success, whatever an earlier turn of the thread ended with', async () => {
    const result = await run('success', 0, 'rollout-limit');
    assert.deepEqual([result.outcome, result.limit, result.refused], ['succeeded', undefined, undefined]);
  });

  it('tells of a login that is refused', async () => {
    const result = await run('login-reused', 1);
    assert.deepEqual([result.limit, result.refused?.reason], [undefined, 'not_logged_in']);
  });

  it('does not take exit code 0 for a success when the turn never ended', async () => {
    assert.equal((await run('killed', 0)).outcome, 'failed');
  });
});

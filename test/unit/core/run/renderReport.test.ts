import assert from 'node:assert/strict';
import type { RunEventBody } from '../../../../src/core/run/runEvent.ts';
import { renderReport } from '../../../../src/core/run/renderReport.ts';
import { toRunView } from '../../../../src/core/run/toRunView.ts';
import { story, way } from './events.ts';
import { job, plan, stateAfter } from './samples.ts';

const made = plan([job('api'), job('docs')]);

function report(...before: RunEventBody[]): string[] {
  const state = stateAfter(made, ...before);
  return renderReport(toRunView(state, { folder: '/run', owner: null, activity: {} })).split('\n');
}

describe('renderReport', () => {
  const ended: RunEventBody = { type: 'run.ended', outcome: 'failed' };
  const lines = report(...way('api').merged(), ...way('docs').failed(), ended);

  it('begins with how the run ended and how many lanes came where', () => {
    assert.equal(lines[0], '# sample: failed');
    assert.ok(lines.includes('Merged 1, ready 0, failed 1, other 0.'));
    assert.ok(lines.includes('Gate: test (`npm run test`), lint (`npm run lint`).'));
  });

  it('tells by which rule its base was chosen, and what is unexpected of that', () => {
    const view = toRunView(stateAfter(made), { folder: '/run', owner: null, activity: {} });
    const base = {
      ...view.base,
      how: 'the default branch of origin',
      warnings: ['main here is 3 behind *it*'],
    };
    const told = renderReport({ ...view, base });
    assert.match(told, /Base `main` at `t0` \(the default branch of origin\), target/);
    assert.match(told, /^main here is 3 behind \\\*it\\\*$/m);
    assert.match(renderReport(view), /Base `main` at `t0`, target/);
  });

  it('names no gate where a run has none', () => {
    const view = toRunView(stateAfter(made), { folder: '/run', owner: null, activity: {} });
    assert.match(renderReport(view), /^Gate: /m);
    assert.doesNotMatch(renderReport({ ...view, gate: [] }), /Gate/);
  });

  it('gives each lane its evidence: attempts, checks of both trees, and why it is not merged', () => {
    for (const line of [
      '## api: merged',
      '- Account: demo/@one; branch: `lane/api`; head: `api1`',
      '- Changes: 1 file, +2 −0, 1 commit',
      '- Attempt 1 under demo/@one: succeeded, exit 0',
      '- Check test (lane): passed, exit 0, 1.0 s',
      '- Check test (merged tree): passed, exit 0, 1.0 s',
      '## docs: failed',
      '- Attempt 1 under demo/@one: failed, exit 1 — the agent: failed',
      '- it failed',
    ]) {
      assert.ok(lines.includes(line), `missing: ${line}`);
    }
  });

  it('names findings with their place', () => {
    const finding = { file: 'a.ts', line: 3, column: 7, severity: 'error', message: 'no' } as const;
    const checked = story('api').checked('test', 'failed');
    assert.ok(checked.type === 'check.ended');
    const found = {
      ...checked,
      result: { ...checked.result, findings: [finding, { ...finding, file: null }] },
    };
    const text = report(...way('api').gated(), found);
    assert.ok(text.includes('  - a.ts:3:7 no'));
    assert.ok(text.includes('  - (no file):3:7 no'));
  });

  it('tells a finding under the check that found it', () => {
    const found = (name: string) => {
      const checked = story('api').checked(name, 'failed');
      assert.ok(checked.type === 'check.ended');
      const finding = { file: null, line: 1, column: 1, severity: 'error', message: `of ${name}` } as const;
      return { ...checked, result: { ...checked.result, findings: [finding] } };
    };
    const told = report(...way('api').gated(), found('test'), found('lint'));
    const first = told.findIndex((line) => line.startsWith('- Check test (lane)'));
    assert.deepEqual(
      told.slice(first, first + 4).map((line) => line.replace(/: failed.*/, '')),
      [
        '- Check test (lane)',
        '  - (no file):1:1 of test',
        '- Check lint (lane)',
        '  - (no file):1:1 of lint',
      ],
    );
  });

  it('tells when somebody else moved the target', () => {
    const moved: RunEventBody = { type: 'target.moved', target: 'main', from: 't0', to: 't1' };
    assert.ok(report(moved).includes('**main was moved by others**: t0 → t1 at 2026-03-02T10:00:02.000Z.'));
    assert.ok(!report().join('\n').includes('moved by others'));
  });
});

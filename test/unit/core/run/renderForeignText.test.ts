import assert from 'node:assert/strict';
import type { RunView } from '../../../../src/core/lanes/laneView.ts';
import { renderReport } from '../../../../src/core/run/renderReport.ts';
import { toRunView } from '../../../../src/core/run/toRunView.ts';
import { way } from './events.ts';
import { job, plan, stateAfter } from './samples.ts';

describe('renderReport of what agents, checks and plans wrote', () => {
  const hostile = 'see <img src=x>\n# [fix](command:workbench.action.quit) https://a.example';
  const harmless = 'see \\<img src=x\\> \\# \\[fix\\](command\\:workbench.action.quit) https\\://a.example';

  function viewOf(text: string): RunView {
    const state = stateAfter(plan([job('api')]), ...way('api').failed());
    const view = toRunView(state, { folder: '/run', owner: null, activity: {} });
    const [lane] = view.lanes;
    assert.ok(lane);
    const attempts = lane.attempts.map((attempt) => ({ ...attempt, message: text }));
    const finding = { file: text, line: 1, column: 1, severity: 'error' as const, message: text };
    const checks = [
      {
        name: text,
        status: 'failed' as const,
        exit: 1,
        duration_s: 1,
        message: text,
        findings: [finding],
        more_findings: 0,
      },
    ];
    const gate = { ...lane.gate, checks };
    return { ...view, name: text, lanes: [{ ...lane, title: text, why_not: [text], attempts, gate }] };
  }

  it('is text in the report: no picture, no link, no heading of its own', () => {
    const report = renderReport(viewOf(hostile));
    assert.doesNotMatch(report, /(?<!\\)<img|(?<!\\)\[fix|^# \[|https:\/\//m);
    for (const part of [
      `# ${harmless}:`,
      `— ${harmless}`,
      `- ${harmless}`,
      `  - ${harmless}:1:1 ${harmless}`,
    ])
      assert.ok(report.includes(part), part);
  });

  it('stays readable where it has none of that', () => {
    const report = renderReport(viewOf('a.ts failed: expected 1 (of 2), see demo/@one'));
    assert.ok(report.includes('- a.ts failed: expected 1 (of 2), see demo/@one'));
  });

  it('cannot leave its code span', () => {
    const view = viewOf('plain');
    const gate = [{ name: 'test', run: 'echo `<img src=x>`' }];
    assert.ok(renderReport({ ...view, gate }).includes('test (`` echo `<img src=x>` ``).'));
  });

  it('is given as it is to who shows no Markdown', () => {
    assert.ok(renderReport(viewOf('a [b](c)'), (text) => text).includes('- a [b](c)'));
  });
});

import assert from 'node:assert/strict';
import type { MergePlan } from '../../../../src/engine/agentKitTypes.ts';
import { mergeSummary } from '../../../../src/vscode/commands/mergeSummary.ts';
import { t } from '../sampleRuns.ts';

describe('mergeSummary', () => {
  const plan: MergePlan = {
    lane: 'api',
    target: 'main',
    from: 'c'.repeat(40),
    head: 'a'.repeat(40),
    strategy: 'merge',
    commits: [{ sha: 'a'.repeat(40), subject: 'Add the API' }],
    files: ['src/api.ts'],
    setup: [],
    gate: [{ name: 'test', run: 'npm test' }],
    conflicts: [],
    whyNot: [],
  };

  it('names target, commits, files and the gate that will run', () => {
    assert.equal(
      mergeSummary(plan, t),
      [
        'Into main at cccccccccc, strategy merge',
        'Commits (1)\n  aaaaaaa Add the API',
        'Files (1)\n  src/api.ts',
        'Gate that will run on the merged tree\n  test: npm test',
      ].join('\n\n'),
    );
  });

  it('names what sets the merged tree up, where something does', () => {
    const summary = mergeSummary({ ...plan, setup: ['npm ci'] }, t);
    assert.match(summary, /\n\nSetup of the merged tree\n {2}npm ci\n\nGate that will run/);
  });

  it('cuts a long list and says so', () => {
    const files = Array.from({ length: 30 }, (_, index) => `f${index}`);
    assert.match(mergeSummary({ ...plan, files }, t), /Files \(30\)\n( {2}f\d\n){8} {2}… and 22 more/);
  });
});

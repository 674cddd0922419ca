import assert from 'node:assert/strict';
import { attemptItem } from '../../../../src/vscode/views/attemptItem.ts';
import { changedFileItem } from '../../../../src/vscode/views/changedFileItem.ts';
import { checkItem } from '../../../../src/vscode/views/checkItem.ts';
import { render, sampleCheck, sampleLane } from '../sampleRuns.ts';

describe('rows below a lane', () => {
  const lane = sampleLane();

  it('tells what a check found', () => {
    const finding = { file: 'src/a.ts', line: 3, column: 5, severity: 'error' as const, message: 'no' };
    const item = checkItem(lane, 'lane', sampleCheck({ findings: [finding], more_findings: 2 }), render);
    assert.equal(item.label, 'test');
    assert.equal(item.description, 'failed · 3 findings · 2s');
    assert.match(item.tooltip, /src\/a\.ts:3:5 no/);
  });

  it('tells the gate of the lane from that of the merged tree', () => {
    const own = checkItem(lane, 'lane', sampleCheck(), render);
    const merged = checkItem(lane, 'merge', sampleCheck(), render);
    assert.notEqual(own.id, merged.id);
    assert.equal(merged.label, 'test on the merged tree');
  });

  it('tells how an attempt went and how long it took', () => {
    const attempt = { ...lane.attempts[0]!, outcome: 'failed', exit: 1, ended_at: '2026-03-02T11:58:00Z' };
    assert.equal(attemptItem(lane, attempt, render).description, 'demo/@one · failed · exit 1 · 2m');
    assert.equal(attemptItem(lane, lane.attempts[0]!, render).description, 'demo/@one · running · 4m');
  });

  it('names a file, its folder and what became of it', () => {
    const item = changedFileItem(lane, { path: 'src/api/b.ts', status: 'renamed', from: 'src/a.ts' }, render);
    assert.equal(item.label, 'b.ts');
    assert.equal(item.description, 'src/api · renamed from src/a.ts');
    assert.equal(changedFileItem(lane, { path: 'x.md', status: 'added' }, render).description, 'added');
  });
});

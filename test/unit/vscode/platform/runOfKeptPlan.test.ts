import assert from 'node:assert/strict';
import { runOfKeptPlan } from '../../../../src/vscode/platform/runOfKeptPlan.ts';

describe('runOfKeptPlan', () => {
  it("knows a run's kept plan by its place", () => {
    assert.equal(runOfKeptPlan('/repo/.git/agentkit/runs/demo-1/plan.yaml'), 'demo-1');
    assert.equal(runOfKeptPlan('/repo/plans/plan.yaml'), undefined);
  });
});

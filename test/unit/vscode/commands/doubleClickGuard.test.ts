import assert from 'node:assert/strict';
import { DoubleClickGuard } from '../../../../src/vscode/commands/doubleClickGuard.ts';

describe('DoubleClickGuard', () => {
  it('takes the second call within a second for the same click', () => {
    const guard = new DoubleClickGuard();
    assert.equal(guard.accepts('api', 5000), true);
    assert.equal(guard.accepts('api', 5999), false);
    assert.equal(guard.accepts('api', 6000), true);
  });

  it('lets calls for other lanes through', () => {
    const guard = new DoubleClickGuard();
    assert.equal(guard.accepts('api', 5000), true);
    assert.equal(guard.accepts('ui', 5100), true);
  });
});

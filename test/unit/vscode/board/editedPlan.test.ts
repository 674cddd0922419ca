import assert from 'node:assert/strict';
import { editedPlan } from '../../../../src/vscode/board/editedPlan.ts';

const text = `version: 1
name: billing # kept
jobs:
  - id: api
    kind: demo
    prompt: Write it
    paths: [src/**] # mine
`;

describe('editedPlan', () => {
  it('takes the kind out when an account is chosen, and the other way round', () => {
    const named = editedPlan(text, { type: 'edit', job: 'api', field: 'account', value: 'demo/@one' });
    assert.match(named, /account: demo\/@one/);
    assert.doesNotMatch(named, /kind:/);
    const free = editedPlan(named, { type: 'edit', job: 'api', field: 'kind', value: 'demo' });
    assert.match(free, /kind: demo/);
    assert.doesNotMatch(free, /account:/);
  });

  it('leaves comments alone', () => {
    const edited = editedPlan(text, {
      type: 'edit',
      job: 'api',
      field: 'paths',
      value: 'src/a.ts\nsrc/b.ts',
    });
    assert.match(edited, /name: billing # kept/);
    assert.match(edited, /src\/b\.ts/);
  });

  it('refuses what would not be a plan any more', () => {
    const edit = { type: 'edit', job: 'api', field: 'prompt', value: '' } as const;
    assert.throws(() => editedPlan(text, edit), { name: 'AgentKitError' });
    assert.doesNotThrow(() => editedPlan(text, { ...edit, value: 'Do it' }));
  });
});

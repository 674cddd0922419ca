import assert from 'node:assert/strict';
import { planJsonSchema } from '../../../../src/core/plan/planJsonSchema.ts';
import { planCompletions } from '../../../../src/vscode/plan/planCompletions.ts';
import { planHover } from '../../../../src/vscode/plan/planHover.ts';
import type { PlanSchemaNode } from '../../../../src/vscode/plan/planSchemaNode.ts';

const schema = planJsonSchema() as PlanSchemaNode;

/** Labels offered at the `|` of a plan's text. */
function offered(text: string): string[] {
  const before = text.slice(0, text.indexOf('|')).split('\n');
  const lines = text.replace('|', '').split('\n');
  const line = before.length - 1;
  return planCompletions(lines, line, before[line] ?? '', schema).map(({ label }) => label);
}

describe('planCompletions', () => {
  it('offers the keys of a plan at its left edge', () => {
    assert.ok(offered('version: 1\n|').includes('jobs'));
    assert.ok(!offered('version: 1\n|').includes('prompt'));
  });

  it('offers the keys of a job in a job, after its dash and on the lines below', () => {
    assert.ok(offered('jobs:\n  - |').includes('prompt'));
    assert.ok(offered('jobs:\n  - id: a\n    pa|').includes('paths'));
    assert.ok(!offered('jobs:\n  - id: a\n    pa|').includes('jobs'));
    assert.ok(offered('jobs:\n- id: a\n  pa|').includes('paths'));
  });

  it('offers the keys of a check in the gate', () => {
    assert.deepEqual(offered('gate:\n  - name: test\n    |'), ['name', 'run', 'timeout', 'matcher']);
  });

  it('offers fixed values', () => {
    assert.deepEqual(offered('on_limit: |'), ['restart', 'continue', 'handover']);
    assert.ok(offered('jobs:\n  - id: a\n    task: s|').includes('security'));
    assert.deepEqual(offered('name: |'), []);
  });

  it('keeps quiet inside a prompt', () => {
    assert.deepEqual(offered('jobs:\n  - id: a\n    prompt: >\n      wri|'), []);
    assert.ok(offered('jobs:\n  - id: a\n    prompt: >\n      write it\n    |').includes('paths'));
  });
});

describe('planHover', () => {
  it('says what a key means, its values and its default', () => {
    const text = planHover(['commit: kit'], 0, 'commit', schema);
    assert.match(text ?? '', /Who commits/);
    assert.match(text ?? '', /`kit`, `agent`/);
    assert.match(text ?? '', /Default: `kit`/);
  });

  it('says nothing about values and foreign keys', () => {
    assert.equal(planHover(['commit: kit'], 0, 'kit', schema), undefined);
    assert.equal(planHover(['other: kit'], 0, 'other', schema), undefined);
  });

  it('knows every key that plans may have', () => {
    for (const key of Object.keys(schema.properties ?? {})) {
      assert.ok(schema.properties?.[key]?.description, `${key} has no description`);
    }
    for (const [key, node] of Object.entries(schema.properties?.['jobs']?.items?.properties ?? {})) {
      assert.ok(node.description, `jobs.${key} has no description`);
    }
  });
});

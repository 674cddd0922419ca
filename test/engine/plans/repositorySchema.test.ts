import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { repositoryJsonSchema, repositorySchema } from '../../../src/engine/plans/repositorySchema.ts';

describe('the schema of agentkit.yaml', () => {
  it('describes to editors what a person writes, kinds too', () => {
    const schema = JSON.parse(JSON.stringify(repositoryJsonSchema())) as {
      $schema: string;
      required: string[];
      additionalProperties: boolean;
      properties: Record<string, { required?: string[]; properties?: Record<string, object> }>;
    };
    assert.match(schema.$schema, /draft-07/);
    assert.deepEqual([schema.required, schema.additionalProperties], [['version'], false]);
    assert.deepEqual(Object.keys(schema.properties), ['version', 'gate', 'worktree', 'kinds']);
    const { required, properties = {} } = schema.properties['worktree'] ?? {};
    assert.equal(required, undefined, 'everything may be left out');
    const keys = ['root', 'copy', 'link', 'setup', 'teardown', 'ports', 'setup_timeout'];
    assert.deepEqual(Object.keys(properties), keys);
    for (const key of keys) assert.ok('description' in (properties[key] ?? {}), key);
  });

  it('takes the example of the README as it stands there, and means what that says', () => {
    const readme = readFileSync(new URL('../../../README.md', import.meta.url), 'utf8');
    const [, example = ''] = /```yaml\n(version: 1\nworktree:\n[^`]+)```/.exec(readme) ?? [];
    const { worktree } = repositorySchema.parse(parse(example));
    assert.deepEqual(worktree, {
      root: '../{repo}-lanes',
      copy: ['.env', 'config/*.local.json'],
      link: [],
      setup: ['npm ci'],
      teardown: ['docker compose down'],
      ports: { PORT: { from: 4100, to: 4199 } },
      setup_timeout: 1200,
    });
  });
});

import assert from 'node:assert/strict';
import { planJsonSchema } from '../../../../src/core/plan/planJsonSchema.ts';

describe('planJsonSchema', () => {
  it('describes what a person writes: defaults may be left out, durations are texts or numbers', () => {
    const schema = JSON.parse(JSON.stringify(planJsonSchema())) as {
      $schema: string;
      required: string[];
      additionalProperties: boolean;
      properties: {
        jobs: { items: { required: string[]; properties: Record<string, { anyOf?: { type: string }[] }> } };
      };
    };
    assert.match(schema.$schema, /draft-07/);
    assert.deepEqual(schema.required, ['version', 'name', 'jobs']);
    assert.equal(schema.additionalProperties, false);
    const { required, properties } = schema.properties.jobs.items;
    assert.deepEqual(required, ['id', 'prompt']);
    assert.deepEqual(
      properties.timeout?.anyOf?.map(({ type }) => type),
      ['integer', 'string'],
    );
  });
});

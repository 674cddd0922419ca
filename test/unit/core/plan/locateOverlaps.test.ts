import assert from 'node:assert/strict';
import { locateOverlaps, overlapProblem } from '../../../../src/core/plan/locateOverlaps.ts';
import { parsePlan } from '../../../../src/core/plan/parsePlan.ts';

const plan = (second: string): string => `version: 1
name: two
jobs:
  - id: a
    prompt: a
    paths: [src/**]
  - id: b
    prompt: b
    paths:
      - docs/**
      - ${second}
`;

function overlapsIn(text: string): ReturnType<typeof locateOverlaps> {
  const parsed = parsePlan(text);
  assert.ok('plan' in parsed);
  return locateOverlaps(text, parsed.plan);
}

describe('locateOverlaps', () => {
  it('tells where the later job names the glob that meets', () => {
    const [overlap] = overlapsIn(plan('src/api/*.ts'));
    assert.ok(overlap);
    assert.deepEqual([overlap.line, overlap.column], [11, 9]);
    assert.match(overlapProblem(overlap).message, /^a and b .*src\/\*\* meets src\/api\/\*\.ts/);
  });

  it('finds nothing between paths that do not meet', () => {
    assert.deepEqual(overlapsIn(plan('test/api/*.ts')), []);
  });
});

import assert from 'node:assert/strict';
import fc from 'fast-check';
import { stages } from '../../../../src/core/plan/stages.ts';

describe('stages', () => {
  it('orders jobs by how deep their dependencies go, each stage as in the plan', () => {
    const jobs = [
      { id: 'end', depends_on: ['b', 'a'] },
      { id: 'b', depends_on: ['a'] },
      { id: 'z', depends_on: [] },
      { id: 'a', depends_on: [] },
    ];
    assert.deepEqual(stages(jobs), [['z', 'a'], ['b'], ['end']]);
    assert.deepEqual(stages([]), []);
  });

  it('passes over unknown ids and leaves cycles out', () => {
    const jobs = [
      { id: 'a', depends_on: ['b'] },
      { id: 'b', depends_on: ['a'] },
      { id: 'c', depends_on: ['gone'] },
      { id: 'd', depends_on: ['a'] },
    ];
    assert.deepEqual(stages(jobs), [['c']]);
  });

  it('puts every job of an acyclic plan one stage behind its latest dependency', () => {
    const acyclic = fc.array(fc.array(fc.nat(20), { maxLength: 3 }), { maxLength: 12 }).map((list) =>
      list.map((numbers, index) => ({
        id: `j${index}`,
        depends_on: numbers.filter((number) => number < index).map((number) => `j${number}`),
      })),
    );
    fc.assert(
      fc.property(acyclic, (jobs) => {
        const found = stages(jobs);
        const depth = new Map(found.flatMap((ids, stage) => ids.map((id) => [id, stage] as const)));
        assert.equal(depth.size, jobs.length);
        for (const { id, depends_on } of jobs) {
          assert.equal(
            depth.get(id),
            Math.max(-1, ...depends_on.map((other) => depth.get(other) ?? NaN)) + 1,
          );
        }
      }),
    );
  });
});

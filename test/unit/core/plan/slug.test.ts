import assert from 'node:assert/strict';
import fc from 'fast-check';
import { slug, uniqueSlugs } from '../../../../src/core/plan/slug.ts';
import { jobSchema } from '../../../../src/core/plan/plan.ts';

describe('slug', () => {
  const cases: [string, string][] = [
    ['Add an endpoint', 'add-an-endpoint'],
    ['  - Fix: the `cart` total!  ', 'fix-the-cart-total'],
    ['Größe ändern, naïve Ünïts', 'grosse-andern-naive-units'],
    ['Rewrite the whole of the payment module and its tests', 'rewrite-the-whole-of-the'],
    ['x'.repeat(60), 'x'.repeat(40)],
    ['日本語', 'job'],
    ['', 'job'],
  ];
  for (const [text, id] of cases)
    it(`${JSON.stringify(text.slice(0, 30))} becomes ${id}`, () => assert.equal(slug(text), id));

  it('numbers what would be the same', () => {
    assert.deepEqual(uniqueSlugs(['Fix it', 'fix it!', 'fix it 2', 'Fix-it']), [
      'fix-it',
      'fix-it-2',
      'fix-it-2-2',
      'fix-it-3',
    ]);
    assert.deepEqual(uniqueSlugs(['y'.repeat(50), 'y'.repeat(50)]), ['y'.repeat(40), `${'y'.repeat(38)}-2`]);
  });

  it('makes valid ids, all different, of any texts', () => {
    const texts = fc.array(
      fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('Fix it', 'fix it 2', 'a'.repeat(39), '')),
    );
    fc.assert(
      fc.property(texts, (lines) => {
        const ids = uniqueSlugs(lines);
        assert.equal(new Set(ids).size, lines.length);
        for (const id of ids) assert.ok(jobSchema.shape.id.safeParse(id).success, id);
      }),
    );
  });
});

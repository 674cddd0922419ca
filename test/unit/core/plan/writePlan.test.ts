import assert from 'node:assert/strict';
import fc from 'fast-check';
import { parsePlan } from '../../../../src/core/plan/parsePlan.ts';
import { planFromPieces } from '../../../../src/core/plan/writePlan.ts';

describe('planFromPieces', () => {
  it('writes one job a piece, commented, ready to edit', () => {
    const pieces = ['Add an endpoint for carts: # of items', '  ', 'Document it\nwith an example'];
    assert.equal(
      planFromPieces({ name: 'fan-out', pieces, kind: 'demo', base: 'feature/#1' }),
      `# One job a piece of work; each runs on a branch and in a worktree of its own.
version: 1
name: fan-out
base: feature/#1

# The checks that decide. Default: those of agentkit.yaml, else the ones found in the repository.
# gate:
#   - { name: test, run: npm test, timeout: 10m }

jobs:
  - id: add-an-endpoint-for-carts-of
    kind: demo
    prompt: |
      Add an endpoint for carts: # of items
    paths: []   # what it may write, like [src/api/**]; empty: not checked
    depends_on: []
  - id: document-it-with-an-example
    kind: demo
    prompt: |
      Document it
      with an example
    paths: []   # what it may write, like [src/api/**]; empty: not checked
    depends_on: []
`,
    );
  });

  it('leaves kind and base to the defaults', () => {
    const text = planFromPieces({ name: 'a', pieces: ['x'] });
    assert.match(text, /^# base: main/m);
    const parsed = parsePlan(text);
    assert.ok('plan' in parsed);
    assert.equal(parsed.plan.base, undefined);
    assert.equal(parsed.plan.jobs[0]?.kind, undefined);
  });

  it('refuses when there is nothing to do', () => {
    assert.throws(() => planFromPieces({ name: 'a', pieces: ['', ' \n'] }), { reason: 'invalid_input' });
  });

  it('is read back as it was meant, whatever the pieces say', () => {
    const odd = fc.string({
      unit: fc.constantFrom(
        'a',
        ' ',
        '\n',
        '\t',
        '\r',
        '#',
        ':',
        '-',
        '"',
        "'",
        '|',
        '{',
        '\u0007',
        '\u2028',
        '\\',
      ),
    });
    const piece = fc.oneof(
      fc.string({ unit: 'binary' }),
      odd,
      fc.tuple(odd, fc.constant('long '.repeat(30)), odd).map((parts) => parts.join('')),
    );
    fc.assert(
      fc.property(
        fc.array(piece),
        fc.string(),
        fc.option(fc.string({ minLength: 1 }), { nil: undefined }),
        (pieces, name, base) => {
          const expected = pieces
            .map((text) => text.replace(/\r\n?/g, '\n').trim())
            .filter((text) => text !== '');
          fc.pre(expected.length > 0);
          const text = planFromPieces({ name, pieces, ...(base === undefined ? {} : { base }) });
          const parsed = parsePlan(text);
          assert.ok('plan' in parsed, text + JSON.stringify(parsed));
          assert.deepEqual(
            parsed.plan.jobs.map(({ prompt }) => prompt),
            expected.map((prompt) => `${prompt}\n`),
          );
          assert.equal(parsed.plan.base, base);
        },
      ),
      { numRuns: 200 },
    );
  }).timeout(20_000);
});

import assert from 'node:assert/strict';
import { asksForJson, splitCommandLine } from '../../../src/cli/splitCommandLine.ts';

describe('splitting a command line', () => {
  it('cuts at the first --, behind which nothing is an option', () => {
    const argv = ['run', 'claude', '--', 'a', '--', '--json'];
    assert.deepEqual(splitCommandLine(argv), { before: ['run', 'claude'], behind: ['a', '--', '--json'] });
    assert.deepEqual(splitCommandLine(['run', '--']), { before: ['run'], behind: [] });
    assert.deepEqual(splitCommandLine(['run']), { before: ['run'], behind: undefined });
  });

  it('knows whether JSON is asked for, in each of its spellings, and only before --', () => {
    const asks = (...argv: string[]) => asksForJson(splitCommandLine(argv));
    assert.equal(asks('run', '--json'), true);
    assert.equal(asks('run', '--output-format', 'json'), true);
    assert.equal(asks('run', '--output-format=json'), true);
    assert.equal(asks('run', '--output-format', 'text', '--', 'json'), false);
    assert.equal(asks('run', '--', '--json'), false);
    assert.equal(asks('json', '--output-format'), false);
  });
});

import assert from 'node:assert/strict';
import { parseFlags } from '../../../scripts/demo/parseFlags.mjs';
import { UsageError } from '../../../scripts/demo/usageError.mjs';

describe('flags of npm start', () => {
  it('reads them in either form', () => {
    const expected = { help: false, headless: true, json: true, dir: '/tmp/d' };
    assert.deepEqual(parseFlags(['--headless', '--dir', '/tmp/d', '--json']), expected);
    assert.deepEqual(parseFlags(['--json', '--dir=/tmp/d', '--headless']), expected);
    assert.equal(parseFlags([]).headless, false);
  });

  for (const args of [
    ['--bad'],
    ['extra'],
    ['--headless=yes'],
    ['--headless', '--dir'],
    ['--headless', '--dir', '--json'],
    ['--headless', '--dir='],
  ]) {
    it(`refuses ${args.join(' ')}`, () => assert.throws(() => parseFlags(args), UsageError));
  }

  it('takes --json and --dir only together with --headless', () => {
    assert.throws(() => parseFlags(['--json']), /--headless/);
    assert.throws(() => parseFlags(['--dir', 'd']), /--headless/);
    assert.doesNotThrow(() => parseFlags(['--headless', '--json', '--dir', 'd']));
  });
});

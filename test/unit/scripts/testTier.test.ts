import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterSecondLook, commandForFailed, failuresOf, takeCounts } from '../../../scripts/testTier.mjs';

const failure = (title: string) => ({ title, message: 'Error: no' });
const counts = (files: Record<string, [passed: number, ...titles: string[]]>) => ({
  pending: 0,
  files: Object.fromEntries(
    Object.entries(files).map(([file, [passed, ...titles]]) => [
      file,
      { passed, failures: titles.map(failure) },
    ]),
  ),
});

const mocha = ['node_modules/mocha/bin/mocha.js', '--timeout', '60s', '--parallel', '--jobs', '2', 'test/**'];

describe('a test tier', () => {
  it('runs the files that failed once more, one after the other', () => {
    const again = commandForFailed(mocha, counts({ 'a.ts': [1, 'x'], 'b.ts': [2], 'c.ts': [0, 'y', 'z'] }));
    assert.deepEqual(again, [
      'node_modules/mocha/bin/mocha.js',
      ...['--timeout', '60s', '--jobs', '2', 'a.ts', 'c.ts'],
    ]);
  });

  it('runs nothing again when all passed, when many files failed, or when nobody knows which', () => {
    assert.equal(commandForFailed(mocha, counts({ 'a.ts': [1] })), undefined);
    const many = Object.fromEntries(
      ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => [name, [0, name] as [number, string]]),
    );
    assert.equal(commandForFailed(mocha, counts(many)), undefined);
    assert.equal(commandForFailed(mocha, counts({ '': [0, 'a hook'] })), undefined);
    assert.equal(commandForFailed(['test/host/runHostTests.ts'], counts({ 'a.ts': [0, 'x'] })), undefined);
  });

  it('counts what passed alone as passed, and names it', () => {
    const first = counts({ 'a.ts': [3, 'x'], 'b.ts': [5], 'c.ts': [1, 'y', 'z'] });
    const second = counts({ 'a.ts': [4], 'c.ts': [2, 'z'] });
    const { counts: all, unsteady } = afterSecondLook(first, second);
    assert.deepEqual(
      unsteady.map(({ title }) => title),
      ['x', 'y'],
    );
    assert.deepEqual(
      failuresOf(all).map(({ title }) => title),
      ['z'],
    );
    assert.equal(
      Object.values(all.files).reduce((sum, { passed }) => sum + passed, 0),
      11,
    );
  });

  it('stays failed when the second look did not come to its end', () => {
    const first = counts({ 'a.ts': [3, 'x'] });
    assert.deepEqual(afterSecondLook(first, undefined), { counts: first, unsteady: [] });
  });

  it('takes the counts of one run, and never those of the run before', () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'agentkit-counts-'));
    try {
      const file = path.join(folder, 'unit.json');
      writeFileSync(file, JSON.stringify(counts({ 'a.ts': [1] })));
      assert.deepEqual(takeCounts(file), counts({ 'a.ts': [1] }));
      assert.equal(existsSync(file), false);
      assert.equal(takeCounts(file), undefined);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

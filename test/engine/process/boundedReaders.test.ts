import assert from 'node:assert/strict';
import fc from 'fast-check';
import { LineSplitter } from '../../../src/engine/process/lineSplitter.ts';
import { secretValues } from '../../../src/engine/process/secretValues.ts';
import { TailBuffer } from '../../../src/engine/process/tailBuffer.ts';

/** Cuts bytes at the given places, as a pipe would. */
function pieces(bytes: Uint8Array, cuts: number[]): Uint8Array[] {
  const at = [...cuts.map((cut) => cut % (bytes.length + 1)), 0, bytes.length].sort((a, b) => a - b);
  return at.slice(1).map((end, index) => bytes.subarray(at[index], end));
}

describe('LineSplitter', () => {
  it('gives the same lines however the bytes are cut', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.array(fc.nat(200)), (text, cuts) => {
        const splitter = new LineSplitter(10_000);
        const lines = pieces(Buffer.from(text), cuts).flatMap((piece) => splitter.push(piece));
        const all = [...lines, ...splitter.end()];
        const expected = Buffer.from(text)
          .toString('utf8')
          .split('\n')
          .map((line) => line.replace(/\r$/, ''));
        assert.deepEqual(all, text.endsWith('\n') || text === '' ? expected.slice(0, -1) : expected);
      }),
    );
  });

  it('keeps the start of a line that is too long, without the word it was cut in, and the next line whole', () => {
    const splitter = new LineSplitter(20);
    const [cut, next] = splitter.push(Buffer.from(`aaa bbb ${'secret'.repeat(10)}\nnext\n`));
    assert.equal(cut, 'aaa bbb … [line cut]');
    assert.equal(next, 'next');
    assert.equal(splitter.cut, true);
  });

  it('keeps a line of exactly the bound', () => {
    const splitter = new LineSplitter(5);
    assert.deepEqual(splitter.push(Buffer.from('12345\n')), ['12345']);
    assert.equal(splitter.cut, false);
  });
});

describe('TailBuffer', () => {
  it('holds the last bytes, and says how many went', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 300 }),
        fc.array(fc.nat(300)),
        fc.integer({ min: 1, max: 64 }),
        (bytes, cuts, size) => {
          const tail = new TailBuffer(size);
          pieces(bytes, cuts).forEach((piece) => tail.push(piece));
          assert.deepEqual([...tail.bytes()], [...bytes.slice(Math.max(0, bytes.length - size))]);
          assert.equal(tail.dropped, Math.max(0, bytes.length - size));
        },
      ),
    );
  });
});

describe('secretValues', () => {
  it('takes values of variables that are named like secrets', () => {
    const environment = {
      NPM_TOKEN: 'abcdefgh',
      DB_PASSWORD: 'hunter2hunter2',
      AWS_SECRET_ACCESS_KEY: 'aaaabbbbcccc',
      BASIC_AUTH: 'user:password',
    };
    assert.deepEqual(secretValues(environment), Object.values(environment));
  });

  it('leaves ordinary words, short values and paths alone', () => {
    const environment = {
      KEYBOARD: 'querty-layout',
      MONKEYS: 'many-of-them',
      API_KEY: 'short',
      SSH_AUTH_SOCK: '/proc/self',
      GIT_AUTHOR_NAME: 'Somebody Else',
    };
    assert.deepEqual(secretValues(environment), []);
  });
});

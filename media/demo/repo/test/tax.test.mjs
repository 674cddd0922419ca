import assert from 'node:assert/strict';
import test from 'node:test';
import { taxOf } from '../src/tax.mjs';

test('takes 19 percent at the standard rate', () => {
  assert.equal(taxOf(10000, 'standard'), 1900);
});

test('rounds to the nearest cent', () => {
  assert.equal(taxOf(99, 'standard'), 19);
  assert.equal(taxOf(13, 'standard'), 2);
});

test('refuses a rate that does not exist', () => {
  assert.throws(() => taxOf(100, 'luxury'), RangeError);
});

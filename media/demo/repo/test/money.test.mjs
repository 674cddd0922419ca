import assert from 'node:assert/strict';
import test from 'node:test';
import { formatMoney, parseMoney } from '../src/money.mjs';

test('formats cents', () => {
  assert.equal(formatMoney(1250), '12.50 EUR');
  assert.equal(formatMoney(5), '0.05 EUR');
  assert.equal(formatMoney(-199, 'CHF'), '-1.99 CHF');
});

test('reads amounts', () => {
  assert.equal(parseMoney('12.50'), 1250);
  assert.equal(parseMoney('-3'), -300);
  assert.throws(() => parseMoney('12,50'), RangeError);
});

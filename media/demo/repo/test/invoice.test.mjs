import assert from 'node:assert/strict';
import test from 'node:test';
import { createInvoice, printInvoice } from '../src/invoice.mjs';

const lamp = { title: 'Desk lamp', cents: 4990, quantity: 2, rate: 'standard' };
const stamp = { title: 'Stamp', cents: 85, quantity: 1, rate: 'none' };

test('adds up lines and tax', () => {
  const invoice = createInvoice([lamp, stamp]);
  assert.equal(invoice.net, 10065);
  assert.equal(invoice.tax, 1896);
  assert.equal(invoice.total, 11961);
});

test('prints one line each, then the totals', () => {
  assert.equal(printInvoice(createInvoice([stamp])), '1 x Stamp: 0.85 EUR\nNet: 0.85 EUR\nTax: 0.00 EUR\nTotal: 0.85 EUR');
});

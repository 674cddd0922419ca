import { formatMoney } from './money.mjs';
import { taxOf } from './tax.mjs';

/** An invoice with its totals; a line is `{ title, cents, quantity, rate }` with the price of one piece in cents. */
export function createInvoice(lines) {
  const priced = lines.map((line) => ({ ...line, net: line.cents * line.quantity }));
  const net = priced.reduce((sum, line) => sum + line.net, 0);
  const tax = priced.reduce((sum, line) => sum + taxOf(line.net, line.rate), 0);
  return { lines: priced, net, tax, total: net + tax };
}

/** The invoice as text, one line each. */
export function printInvoice(invoice) {
  const lines = invoice.lines.map((line) => `${line.quantity} x ${line.title}: ${formatMoney(line.net)}`);
  return [...lines, `Net: ${formatMoney(invoice.net)}`, `Tax: ${formatMoney(invoice.tax)}`, `Total: ${formatMoney(invoice.total)}`].join('\n');
}

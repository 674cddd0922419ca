/** Formats an amount of cents, like `12.50 EUR`. */
export function formatMoney(cents, currency = 'EUR') {
  const sign = cents < 0 ? '-' : '';
  const digits = String(Math.abs(cents)).padStart(3, '0');
  return `${sign}${digits.slice(0, -2)}.${digits.slice(-2)} ${currency}`;
}

/** Reads an amount like `12.50` as cents. @throws RangeError when the text is no amount */
export function parseMoney(text) {
  const match = /^(-?)(\d+)(?:\.(\d{2}))?$/.exec(text.trim());
  if (!match) throw new RangeError(`"${text}" is not an amount; write it like 12.50`);
  const cents = Number(match[2]) * 100 + Number(match[3] ?? 0);
  return match[1] && cents > 0 ? -cents : cents;
}

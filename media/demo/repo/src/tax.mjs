/** Tax rates in percent. */
const rates = { standard: 19, none: 0 };

/** Tax on an amount of cents, rounded to the nearest cent. @throws RangeError for a rate that does not exist */
export function taxOf(cents, rate) {
  const percent = rates[rate];
  if (percent === undefined) throw new RangeError(`there is no tax rate "${rate}"`);
  return Math.round((cents * percent) / 100);
}

/** A value of an option that cannot be; commander, which is not loaded for it, knows it by its code. */
class InvalidValue extends Error {
  readonly code = 'commander.invalidArgument';
}

/** Reads an option that is a whole number, 0 included. */
export function wholeNumber(text: string): number {
  if (!/^\d+$/.test(text)) throw new InvalidValue('it must be a whole number.');
  return Number(text);
}

export function positiveNumber(text: string): number {
  const number = wholeNumber(text);
  if (number === 0) throw new InvalidValue('it must be at least 1.');
  return number;
}

export function notEmpty(text: string): string {
  if (text.trim() === '') throw new InvalidValue('it must not be empty.');
  return text;
}

/** Gathers an option that can be given several times, or once with commas. */
export function collect(value: string, earlier: string[] | undefined): string[] {
  return [...(earlier ?? []), ...value.split(',')];
}

/** Gathers an option that can be given several times; a glob may hold commas. */
export function again(value: string, earlier: string[]): string[] {
  return [...earlier, value];
}

/** Reads an option that is a share, from 0 to 100. */
export function percentage(text: string): number {
  const value = /^\d+(\.\d+)?$/.test(text) ? Number(text) : NaN;
  if (!(value <= 100)) throw new InvalidValue('it must be a percentage from 0 to 100.');
  return value;
}

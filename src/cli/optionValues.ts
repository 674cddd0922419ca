import { InvalidArgumentError } from 'commander';

/** Reads an option that is a whole number, 0 included. */
export function wholeNumber(text: string): number {
  if (!/^\d+$/.test(text)) throw new InvalidArgumentError('it must be a whole number.');
  return Number(text);
}

export function positiveNumber(text: string): number {
  const number = wholeNumber(text);
  if (number === 0) throw new InvalidArgumentError('it must be at least 1.');
  return number;
}

/** Gathers an option that can be given several times, or once with commas. */
export function collect(value: string, earlier: string[] | undefined): string[] {
  return [...(earlier ?? []), ...value.split(',')];
}

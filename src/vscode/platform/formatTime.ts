import type { Render } from './render.ts';

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** A length in milliseconds in its two largest units at most: `45s`, `4m`, `2h 5m`, `3d 4h`. */
export function formatLength(ms: number): string {
  const length = Math.max(0, ms);
  if (length < minute) return `${Math.floor(length / second)}s`;
  if (length < hour) return `${Math.floor(length / minute)}m`;
  if (length < day) return twoUnits(length, hour, 'h', minute, 'm');
  return twoUnits(length, day, 'd', hour, 'h');
}

/** Time since an RFC 3339 moment, in minutes or more: views draw it again once a minute. */
export function formatSince(at: string, { now }: Render): string {
  const length = now - Date.parse(at);
  return length < minute ? '<1m' : formatLength(length);
}

/** A moment to come in local time, the day named unless it is today: `09:00`, `Tue 09:00`, `24 Dec, 09:00`. */
export function formatMoment(at: string, { now, locale, timeZone }: Render): string {
  const zone = timeZone === undefined ? {} : { timeZone };
  const format = (options: Intl.DateTimeFormatOptions, moment: number) =>
    new Intl.DateTimeFormat(locale, { ...options, ...zone }).format(moment);
  const moment = Date.parse(at);
  const clock: Intl.DateTimeFormatOptions = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' };
  const date: Intl.DateTimeFormatOptions = { day: 'numeric', month: 'short' };
  if (format(date, moment) === format(date, now)) return format(clock, moment);
  if (Math.abs(moment - now) < 7 * day) return format({ weekday: 'short', ...clock }, moment);
  return format({ ...date, ...clock }, moment);
}

function twoUnits(
  length: number,
  large: number,
  largeUnit: string,
  small: number,
  smallUnit: string,
): string {
  const rest = Math.floor((length % large) / small);
  return `${Math.floor(length / large)}${largeUnit}${rest > 0 ? ` ${rest}${smallUnit}` : ''}`;
}

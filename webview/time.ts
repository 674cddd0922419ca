const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** A span in words for a card: `<1m`, then `4m`, `1h 05m`, `2d 3h`. The page draws once a minute. */
export function formatSpan(milliseconds: number): string {
  if (milliseconds < minute) return '<1m';
  if (milliseconds < hour) return `${Math.floor(milliseconds / minute)}m`;
  if (milliseconds < day) {
    const minutes = Math.floor((milliseconds % hour) / minute);
    return `${Math.floor(milliseconds / hour)}h ${String(minutes).padStart(2, '0')}m`;
  }
  const hours = Math.floor((milliseconds % day) / hour);
  return `${Math.floor(milliseconds / day)}d${hours === 0 ? '' : ` ${hours}h`}`;
}

/** When a window resets, relative and local: `in 2h 10m (14:30)`; a passed reset says so. */
export function formatReset(resetsAt: string, now: number, locale?: string, timeZone?: string): string {
  const at = Date.parse(resetsAt);
  if (Number.isNaN(at)) return 'at an unknown time';
  const left = at - now;
  if (left <= 0) return 'has passed, not read since';
  const relative = left < minute ? 'in less than a minute' : `in ${formatSpan(left)}`;
  return `${relative} (${formatLocal(at, now, locale, timeZone)})`;
}

/** When a window resets, local only, where there is little room: `14:30`, `Tue 09:00`. */
export function formatResetMoment(resetsAt: string, now: number, locale?: string, timeZone?: string): string {
  const at = Date.parse(resetsAt);
  return at > now ? formatLocal(at, now, locale, timeZone) : formatReset(resetsAt, now);
}

/** Clock time for the next hours, weekday and clock time within a week, then the date. */
function formatLocal(at: number, now: number, locale?: string, timeZone?: string): string {
  const zone = timeZone === undefined ? {} : { timeZone };
  const clock = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
  const format = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(locale, { ...options, ...zone }).format(at);
  if (at - now < 12 * hour) return format(clock);
  if (at - now < 7 * day) return format({ weekday: 'short', ...clock });
  return format({ day: 'numeric', month: 'short', ...clock });
}

/** When a limit resets, read from a clock time in a vendor's text. */
export interface ResetTime {
  /** RFC 3339 UTC. */
  at: string;
  /**
   * The clock time does not exist that day (`gap`) or comes twice (`double`), because clocks are changed; `at` is the
   * later of what it can mean, so that nothing is tried too early.
   */
  doubt?: 'gap' | 'double';
}

const day = 86_400_000;
/** No window is longer than a month: a guess farther ahead is a reset that has passed. */
const farthest = 35 * day;

const pattern =
  /\b(?:resets|again at|reset at)\s+(?:([A-Z][a-z]{2}) (\d{1,2})(?:st|nd|rd|th)?(?:,? (\d{4}))?,? (?:at )?)?(\d{1,2})(?::(\d{2}))? ?([ap])m \((UTC|GMT|[A-Za-z_]+(?:\/[\w+-]+)+)\)/i;
const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/**
 * Reads texts like "resets 3:42am (UTC)" or "resets Dec 3, 1pm (Europe/Berlin)" of a record that a vendor marked as a
 * limit. Only with its zone a clock time says when; without a date it is the next such time after `nowMs`. Undefined
 * where there is no zone, no such time, or the time has passed.
 */
export function parseResetText(text: string, nowMs: number): ResetTime | undefined {
  const [, month, date, year, hour = '', minute = '0', half = '', zone = ''] = pattern.exec(text) ?? [];
  const offsetAt = zoneOffsets(zone);
  const time = readClock(Number(hour), Number(minute), half);
  if (offsetAt === undefined || time === undefined) return undefined;
  const today = midnight(nowMs + offsetAt(nowMs));
  const days =
    month === undefined
      ? [today, today + day]
      : (year === undefined ? yearsAround(nowMs) : [Number(year)]).map((each) =>
          readDate(each, month, Number(date)),
        );
  return days
    .flatMap((each) => (each === undefined ? [] : toInstant(each + time, offsetAt)))
    .find(({ at }) => {
      const ahead = Date.parse(at) - nowMs;
      return ahead > 0 && (year !== undefined || ahead <= farthest);
    });
}

/** Milliseconds since midnight; undefined for what no clock shows. */
function readClock(hour: number, minute: number, half: string): number | undefined {
  if (hour < 1 || hour > 12 || minute > 59) return undefined;
  return (((hour % 12) + (half.toLowerCase() === 'p' ? 12 : 0)) * 60 + minute) * 60_000;
}

/** Midnight of a date, as if it were UTC; undefined for one that is in no calendar. */
function readDate(year: number, month: string, date: number): number | undefined {
  const index = months.indexOf(month.toLowerCase());
  const found = new Date(Date.UTC(year, index, date));
  return index >= 0 && found.getUTCMonth() === index && found.getUTCDate() === date
    ? found.getTime()
    : undefined;
}

function yearsAround(nowMs: number): number[] {
  const year = new Date(nowMs).getUTCFullYear();
  return [year - 1, year, year + 1];
}

function midnight(ms: number): number {
  return ms - (((ms % day) + day) % day);
}

/** What a clock of the zone means that shows `wall`, which is written as if it were UTC. */
function toInstant(wall: number, offsetAt: (ms: number) => number): ResetTime {
  // No zone changes its clocks twice within two days: one of these two holds at that time.
  const found = [offsetAt(wall - day), offsetAt(wall + day)].map((offset) => wall - offset);
  const real = new Set(found.filter((ms) => ms + offsetAt(ms) === wall));
  const at = new Date(Math.max(...(real.size > 0 ? real : found))).toISOString();
  if (real.size === 1) return { at };
  return { at, doubt: real.size === 0 ? 'gap' : 'double' };
}

/** How far the clocks of a zone are ahead of UTC at a time, in milliseconds; undefined for a zone that is none. */
function zoneOffsets(timeZone: string): ((ms: number) => number) | undefined {
  let format: Intl.DateTimeFormat;
  try {
    const numeric = 'numeric';
    format = new Intl.DateTimeFormat('en-US', {
      timeZone,
      calendar: 'iso8601',
      hourCycle: 'h23',
      year: numeric,
      month: numeric,
      day: numeric,
      hour: numeric,
      minute: numeric,
      second: numeric,
    });
  } catch {
    return undefined;
  }
  return (ms) => {
    const parts = new Map(format.formatToParts(ms).map(({ type, value }) => [type, Number(value)]));
    const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0;
    const date = [part('year'), part('month') - 1, part('day')] as const;
    return Date.UTC(...date, part('hour'), part('minute'), part('second')) - Math.floor(ms / 1000) * 1000;
  };
}

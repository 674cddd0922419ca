/**
 * A time in the person's zone and words: the clock for today, else the day too; RFC 3339 for what is none.
 *
 * @param now RFC 3339 too.
 */
export function localTime(time: string, now = new Date().toISOString()): string {
  const at = new Date(time);
  if (Number.isNaN(at.getTime())) return time;
  const sameDay = at.toDateString() === new Date(now).toDateString();
  return at.toLocaleString(undefined, {
    ...(sameDay ? {} : { weekday: 'short', day: 'numeric', month: 'short' }),
    hour: '2-digit',
    minute: '2-digit',
  });
}

import { appliesTo } from './headroomOf.ts';
import type { UsageEntry } from './usageEntry.ts';

/**
 * Whether an account has to be asked about: what is known is older than may be, comes from the future (the clock was
 * set back), a window that counts for these models has passed its reset since it was asked about last, or a run met a
 * limit since then of which nobody said when it ends.
 */
export function isDue(
  entry: UsageEntry | undefined,
  { now, maxAgeS, models = [] }: { now: number; maxAgeS: number; models?: readonly (string | undefined)[] },
): boolean {
  if (entry === undefined) return true;
  const asked = Date.parse(entry.asked_at);
  const fresh = Math.max(asked, entry.read_at === null ? -Infinity : Date.parse(entry.read_at));
  if (fresh < now - maxAgeS * 1000 || fresh > now) return true;
  const limits = entry.limits ?? [];
  if (limits.some(({ at, resets_at }) => resets_at === undefined && asked < Date.parse(at))) return true;
  return entry.windows.some(({ model, resets_at, read_at }) => {
    if (resets_at === null || ![undefined, ...models].some((each) => appliesTo(model, each))) return false;
    const reset = Date.parse(resets_at);
    const read = read_at === undefined ? -Infinity : Date.parse(read_at);
    const known = Math.max(asked, read > now ? -Infinity : read);
    return reset <= now && known < reset;
  });
}

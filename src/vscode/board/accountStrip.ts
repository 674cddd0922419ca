import { formatAccount } from '../../core/accounts/account.ts';
import { headroomOf } from '../../core/accounts/headroomOf.ts';
import type { AccountReading } from '../../core/accounts/usage.ts';
import type { BoardSnapshot } from '../../protocol/boardMessages.ts';

/**
 * The strip of accounts on top of a board; those that the person excluded are not in it, unless a job has one.
 *
 * @param usedBy Job by account name.
 * @param now RFC 3339 time against which resets are judged.
 */
export function accountStrip(
  readings: readonly AccountReading[],
  usedBy: ReadonlyMap<string, string>,
  now: string,
): BoardSnapshot['accounts'] {
  const shown = readings.filter((reading) => !reading.excluded || usedBy.has(formatAccount(reading)));
  return shown.map((reading) => {
    const name = formatAccount(reading);
    const common = { name, status: reading.status, usedBy: usedBy.get(name) ?? null };
    const headroom = headroomOf(reading, { now });
    if (!headroom.qualifies) {
      // A known reset means windows that are used up; without one what is free is not known.
      const resetsAt = headroom.resets_at ?? null;
      return { ...common, headroomPct: resetsAt === null ? null : 0, resetsAt };
    }
    const window = headroom.binding_window;
    return {
      ...common,
      headroomPct: headroom.headroom_pct,
      resetsAt: headroom.resets_at,
      ...(window !== null && { window }),
    };
  });
}

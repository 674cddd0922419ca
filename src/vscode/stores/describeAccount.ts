import { headroomOf, type Headroom } from '../../core/accounts/headroomOf.ts';
import type { AccountReading, AccountStatus } from '../../core/accounts/usage.ts';
import { formatMoment } from '../platform/formatTime.ts';
import type { Render } from '../platform/render.ts';
import type { AccountView } from './accountView.ts';

/** `62 % · weekly resets Tue 09:00`, or why there is no such figure; led by what keeps the account out of picks. */
export function describeAccount(account: AccountView, render: Render): string {
  const { t } = render;
  const excluded = account.reading.excluded ? t('excluded from picks') : '';
  const same = account.sameLogin.map((name) => name.slice(name.indexOf('/') + 1)).join(', ');
  return [excluded, roomText(account, render), same && t('same login as {0}', same)]
    .filter(Boolean)
    .join(' · ');
}

/** What is known of an account's status: a login in this window is newer than the reading. */
export function accountStatus({ reading, login }: AccountView): AccountStatus {
  if (login?.status === 'not_logged_in') return 'not_logged_in';
  return login?.status === 'ok' && reading.status === 'not_logged_in' ? 'unknown' : reading.status;
}

export function headroomNow(reading: AccountReading, { now }: Render): Headroom {
  return headroomOf(reading, { now: new Date(now).toISOString() });
}

function roomText(account: AccountView, render: Render): string {
  const { t } = render;
  const { reading, login } = account;
  const status = accountStatus(account);
  if (status === 'not_logged_in') return t('not logged in');
  if (status === 'unknown' && login?.status === 'ok') return t('logged in · not read yet');
  if (reading.unread) return t('not read yet');
  if (status === 'unknown') return reading.reason ?? t('unknown');
  const room = headroomNow(reading, render);
  const limited = status === 'rate_limited' ? t('limit reached') : '';
  const free = room.qualifies ? `${Math.floor(room.headroom_pct)} %` : limited || room.reason;
  const window = room.qualifies ? room.binding_window : undefined;
  const reset = room.resets_at ? formatMoment(room.resets_at, render) : '';
  const resets = reset && (window ? t('{0} resets {1}', window, reset) : t('resets {0}', reset));
  return [room.qualifies && limited, free, resets].filter(Boolean).join(' · ');
}

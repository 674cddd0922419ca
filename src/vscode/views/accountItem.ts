import { headroomOf } from '../../core/accounts/headroomOf.ts';
import type { AccountReading } from '../../core/accounts/usage.ts';
import { bar } from './bar.ts';
import { escapeMarkdown } from '../../core/safety/escapeMarkdown.ts';
import { formatLength, formatMoment } from '../platform/formatTime.ts';
import type { Icon, ItemView } from './itemView.ts';
import type { Render } from '../platform/render.ts';

/** Headroom in percent below which an account's row warns. */
const low = 15;

/** The row of an account: `@work2   62 % · weekly resets Tue 09:00 · used by api`. */
export function accountItem(account: AccountReading, usedBy: readonly string[], render: Render): ItemView {
  return {
    id: `account ${account.kind}/${account.profile}`,
    label: account.profile,
    description: describe(account, usedBy, render),
    tooltip: tooltipOf(account, usedBy, render),
    markdown: true,
    icon: iconOf(account, render),
    words: ['account', account.status],
    children: account.windows.length > 0 ? 'closed' : 'none',
  };
}

function describe(account: AccountReading, usedBy: readonly string[], render: Render): string {
  const used = usedBy.length > 0 ? render.t('used by {0}', usedBy.join(', ')) : '';
  return [roomText(account, render), used].filter(Boolean).join(' · ');
}

function roomText(account: AccountReading, render: Render): string {
  const { t } = render;
  if (account.status === 'not_logged_in') return t('not logged in');
  if (account.status === 'unknown') return account.reason ?? t('unknown');
  const room = headroom(account, render);
  const status = account.status === 'rate_limited' ? t('limit reached') : '';
  const free = room.qualifies ? `${Math.floor(room.headroom_pct)} %` : status || room.reason;
  const window = room.qualifies ? room.binding_window : undefined;
  const reset = room.resets_at ? formatMoment(room.resets_at, render) : '';
  const resets = reset && (window ? t('{0} resets {1}', window, reset) : t('resets {0}', reset));
  return [room.qualifies && status, free, resets].filter(Boolean).join(' · ');
}

function iconOf(account: AccountReading, render: Render): Icon {
  if (account.status === 'unknown') return { id: 'question' };
  if (account.status !== 'ok') return { id: 'circle-slash', color: 'testing.iconFailed' };
  const room = headroom(account, render);
  const enough = room.qualifies && room.headroom_pct >= low;
  return enough
    ? { id: 'pass', color: 'testing.iconPassed' }
    : { id: 'warning', color: 'list.warningForeground' };
}

function headroom(account: AccountReading, { now }: Render): ReturnType<typeof headroomOf> {
  return headroomOf(account, { now: new Date(now).toISOString() });
}

function tooltipOf(account: AccountReading, usedBy: readonly string[], render: Render): string {
  const { t, now } = render;
  const name = `**${escapeMarkdown(`${account.kind}/${account.profile}`)}**`;
  const plan = account.plan ? ` (${escapeMarkdown(account.plan)})` : '';
  const rows = account.windows.map((window) => {
    const resets = window.resets_at ? formatMoment(window.resets_at, render) : '–';
    return `| ${escapeMarkdown(window.label)} | ${bar(window.free_pct)} | ${Math.round(window.free_pct)} % | ${escapeMarkdown(resets)} |`;
  });
  const head = `| ${t('Window')} | | ${t('Free')} | ${t('Resets')} |\n| --- | --- | ---: | --- |\n`;
  const table = rows.length > 0 ? head + rows.join('\n') : '';
  const reason = account.reason ? escapeMarkdown(account.reason) : '';
  const used = usedBy.length > 0 ? escapeMarkdown(t('Used by {0}', usedBy.join(', '))) : '';
  const read = escapeMarkdown(t('Read {0} ago', formatLength(now - Date.parse(account.read_at))));
  return [name + plan, table, reason, used, read].filter(Boolean).join('\n\n');
}

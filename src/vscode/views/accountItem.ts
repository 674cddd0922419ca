import type { AccountReading } from '../../core/accounts/usage.ts';
import { escapeMarkdown } from '../../core/safety/escapeMarkdown.ts';
import { formatLength, formatMoment } from '../platform/formatTime.ts';
import type { Render } from '../platform/render.ts';
import type { AccountView } from '../stores/accountView.ts';
import { accountStatus, describeAccount, headroomNow } from '../stores/describeAccount.ts';
import { bar } from './bar.ts';
import type { Icon, ItemView } from './itemView.ts';

/** Headroom in percent below which an account's row warns. */
const low = 15;

/** The row of an account: `@work2   62 % · weekly resets Tue 09:00 · used by api`. */
export function accountItem(account: AccountView, usedBy: readonly string[], render: Render): ItemView {
  const used = usedBy.length > 0 ? render.t('used by {0}', usedBy.join(', ')) : '';
  return {
    id: `account ${account.name}`,
    label: account.profile,
    description: [describeAccount(account, render), used].filter(Boolean).join(' · '),
    tooltip: tooltipOf(account, usedBy, render),
    markdown: true,
    icon: iconOf(account, render),
    words: [
      'account',
      accountStatus(account),
      account.reading.excluded ? 'excluded' : 'included',
      ...(account.folder === null ? [] : ['removable']),
      ...(account.logsIn ? ['logsIn'] : []),
      ...(account.hasScreen ? ['hasScreen'] : []),
    ],
    children: account.reading.windows.length > 0 ? 'closed' : 'none',
  };
}

function iconOf(account: AccountView, render: Render): Icon {
  const { reading } = account;
  const status = accountStatus(account);
  if (reading.excluded) return { id: 'eye-closed' };
  if (status === 'unknown') return { id: 'question' };
  if (status !== 'ok') return { id: 'circle-slash', color: 'testing.iconFailed' };
  const room = headroomNow(reading, render);
  const enough = room.qualifies && room.headroom_pct >= low;
  return enough
    ? { id: 'pass', color: 'testing.iconPassed' }
    : { id: 'warning', color: 'list.warningForeground' };
}

function tooltipOf(account: AccountView, usedBy: readonly string[], render: Render): string {
  const { t, now } = render;
  const { reading, login, sameLogin } = account;
  const plan = reading.plan ? ` (${escapeMarkdown(reading.plan)})` : '';
  const notes = [
    login ? (login.problem ?? '') : reading.unread ? '' : (reading.reason ?? ''),
    sameLogin.length > 0 ? t('The same login as {0}: they count as one account.', sameLogin.join(', ')) : '',
    reading.excluded ? t('You keep it out of picks: it is neither used nor asked about.') : '',
    usedBy.length > 0 ? t('Used by {0}', usedBy.join(', ')) : '',
    reading.read_at === null
      ? t('Not read yet: Refresh Usage asks the vendor.')
      : t('Read {0} ago', formatLength(now - Date.parse(reading.read_at))),
    account.folder ?? t("The CLI's own home"),
  ];
  const paragraphs = [
    `**${escapeMarkdown(account.name)}**${plan}`,
    windowTable(reading, render),
    ...notes.map((text) => escapeMarkdown(text)),
  ];
  return paragraphs.filter(Boolean).join('\n\n');
}

function windowTable({ windows }: AccountReading, render: Render): string {
  const { t } = render;
  if (windows.length === 0) return '';
  const rows = windows.map((window) => {
    const resets = window.resets_at ? formatMoment(window.resets_at, render) : '–';
    return `| ${escapeMarkdown(window.label)} | ${bar(window.free_pct)} | ${Math.round(window.free_pct)} % | ${escapeMarkdown(resets)} |`;
  });
  return `| ${t('Window')} | | ${t('Free')} | ${t('Resets')} |\n| --- | --- | ---: | --- |\n${rows.join('\n')}`;
}

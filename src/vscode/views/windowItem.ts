import type { UsageWindow } from '../../core/accounts/usage.ts';
import { bar } from './bar.ts';
import { formatLength, formatMoment } from '../platform/formatTime.ts';
import type { ItemView } from './itemView.ts';
import type { Render } from '../platform/render.ts';

/** The row of a quota window: `weekly   ▓▓▓▓░░ 62 % · resets Tue 09:00, in 2d 3h`. */
export function windowItem(account: string, window: UsageWindow, render: Render): ItemView {
  const free = `${bar(window.free_pct)} ${Math.round(window.free_pct)} %`;
  const description = `${free} · ${resetText(window, render)}`;
  return {
    id: `window ${account} ${window.id}`,
    label: window.label,
    description,
    tooltip: render.t(
      '{0}: {1} % used, {2} % free',
      window.label,
      Math.round(window.used_pct),
      Math.round(window.free_pct),
    ),
    icon: { id: 'clock' },
    words: ['window'],
    children: 'none',
  };
}

function resetText({ resets_at }: UsageWindow, render: Render): string {
  const { t, now } = render;
  if (resets_at === null) return t('not started');
  const left = Date.parse(resets_at) - now;
  if (left <= 0) return t('has reset {0} ago; not read since', formatLength(-left));
  return t('resets {0}, in {1}', formatMoment(resets_at, render), formatLength(left));
}

import type { TemplateResult } from 'lit';
import type { BoardCard } from '../../src/protocol/boardMessages.ts';
import { columns } from '../columns.ts';
import { icon } from './icon.ts';

/** States that say more than their column does. */
const states: Record<string, { icon: string; tone: string }> = {
  merging: { icon: 'loading codicon-modifier-spin', tone: 'tone-active' },
  running: { icon: 'loading codicon-modifier-spin', tone: 'tone-active' },
  passed: { icon: 'pass', tone: 'tone-good' },
  failed: { icon: 'error', tone: 'tone-bad' },
  interrupted: { icon: 'debug-disconnect', tone: 'tone-warn' },
  dropped: { icon: 'trash', tone: 'tone-muted' },
};

/** The card's state as a shape; its word stands beside it. Only a card at work moves. */
export function stateIcon({ state, column }: BoardCard): TemplateResult {
  const known = states[state];
  if (known !== undefined) return icon(known.icon, known.tone);
  return icon(columns.find(({ id }) => id === column)?.icon ?? 'circle-large-outline', `tone-${column}`);
}

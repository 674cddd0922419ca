import type { BoardCard, BoardSnapshot } from '../src/protocol/boardMessages.ts';
import type { BoardIntents } from './view/boardContext.ts';
import type { MenuItem } from './view/menu.ts';

/** Everything that can be done with a card: the host's commands, then what the page itself offers. */
export function menuItems(
  card: BoardCard,
  mode: BoardSnapshot['mode'],
  open: boolean,
  intents: BoardIntents,
): MenuItem[] {
  const [show, hide] = mode === 'preview' ? ['Edit', 'Done'] : ['Show Details', 'Hide Details'];
  return [
    ...card.actions.map(({ id, label }) => ({
      label,
      run: () => intents.send({ type: 'action', card: card.id, action: id }),
    })),
    { label: open ? hide : show, run: () => intents.toggleCard(card.id) },
    ...card.after.map((id) => ({ label: `Go to ${id}`, run: () => intents.focusCard(id) })),
  ] as MenuItem[];
}

import { toHostSchema, type BoardSnapshot, type ToHost } from '../../protocol/boardMessages.ts';

/** Longest text of an edit that is taken, in characters. */
const longestEdit = 100_000;

export type Judged = { message: ToHost } | { refused: string };

/** Takes a page's message only when it is well formed and asks for something that the page was offered. */
export function judgeMessage(raw: unknown, shown: BoardSnapshot | null): Judged {
  const parsed = toHostSchema.safeParse(raw);
  if (!parsed.success) return { refused: 'it does not follow the protocol' };
  const message = parsed.data;
  const why = message.type === 'ready' ? undefined : refusalOf(message, shown);
  return why === undefined ? { message } : { refused: `${message.type}: ${why}` };
}

function refusalOf(
  message: Exclude<ToHost, { type: 'ready' }>,
  shown: BoardSnapshot | null,
): string | undefined {
  if (shown === null) return 'nothing is shown yet';
  switch (message.type) {
    case 'openSource':
      return undefined;
    case 'start':
      return shown.start?.whyNot.length === 0 ? undefined : 'Start is not enabled';
    case 'edit':
      if (shown.mode !== 'preview') return 'a run cannot be edited';
      if (message.value.length > longestEdit) return 'the text is too long';
      return shown.cards.some(({ id }) => id === message.job) ? undefined : 'there is no such job';
    case 'action': {
      const card = shown.cards.find(({ id }) => id === message.card);
      return card?.actions.some(({ id }) => id === message.action) ? undefined : 'the card does not offer it';
    }
    case 'runAction':
      return shown.actions?.some(({ id }) => id === message.action)
        ? undefined
        : 'the board does not offer it';
  }
}

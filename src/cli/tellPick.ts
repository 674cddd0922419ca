import { formatAccount } from '../core/accounts/account.ts';
import type { ChosenAccount, PickAnswer } from '../core/accounts/pickAccounts.ts';
import { localTime } from './localTime.ts';
import type { Session } from './session.ts';

/** Answers with what was chosen: 1 where nothing qualifies, 3 where there is nothing to choose from. */
export function tellPick(session: Session, kind: string, answer: PickAnswer): void {
  const { chosen, rejected } = answer;
  if (chosen.length === 0) session.exitCode = rejected.length === 0 ? 3 : 1;
  session.answer('pick-v1', answer, () => textOf(kind, answer));
}

function textOf(kind: string, { chosen, rejected, next_reset_at: reset }: PickAnswer): string {
  if (chosen.length > 0) return chosen.map(line).join('\n');
  const why =
    rejected.length === 0
      ? [`There is no account of kind ${kind}. Add one: ak profiles add ${kind} @one`]
      : rejected.map((each) => `${formatAccount(each)}: ${each.reason}`);
  const soonest = reset === null ? [] : [`Soonest reset: ${localTime(reset)}`];
  return ['No account qualifies.', ...why, ...soonest].join('\n');
}

function line(account: ChosenAccount): string {
  const { headroom_pct: free, binding_window: window, resets_at: reset } = account;
  const where = window === null ? '' : ` of ${window}`;
  const until = reset === null ? '' : `, resets ${localTime(reset)}`;
  return `${formatAccount(account)}  ${free} % free${where}${until}`;
}

import { formatAccount } from '../core/accounts/account.ts';
import { createPicker } from '../engine/createPicker.ts';
import { pickRequest, type PickOptions } from './pickOptions.ts';
import type { Session } from './session.ts';

/** Chooses accounts and answers with them. */
export async function answerPick(session: Session, kind: string, options: PickOptions): Promise<void> {
  const pick = createPicker({ node: process.execPath, dist: session.dist, environment: process.env });
  const answer = await pick(pickRequest(kind, options));
  const lines = answer.chosen.map((each) => `${formatAccount(each)}  ${each.headroom_pct} % free`);
  const none = answer.rejected.map((each) => `${formatAccount(each)}: ${each.reason}`);
  if (answer.chosen.length === 0) session.exitCode = 1;
  if (answer.chosen.length === 0 && answer.rejected.length === 0) session.exitCode = 3;
  const why =
    none.length === 0
      ? `There is no account of kind ${kind}. Add one: ak profiles add ${kind} @one`
      : none.join('\n');
  const reset = answer.next_reset_at === null ? '' : `\nSoonest reset: ${answer.next_reset_at}`;
  session.answer(
    'pick-v1',
    answer,
    lines.length > 0 ? lines.join('\n') : `No account qualifies.\n${why}${reset}`,
  );
}

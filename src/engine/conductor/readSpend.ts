import { AgentKitError } from '../../core/agentKitError.ts';
import type { RunEventBody } from '../../core/run/runEvent.ts';
import type { RunState } from '../../core/run/runState.ts';
import type { AccountSource } from './gatherFacts.ts';

type Spent = Extract<RunEventBody, { type: 'run.spent' }>['accounts'];

/** What the accounts have left when the work of a run has ended: each is read once. Empty where that fails. */
export async function readSpend(accounts: AccountSource, { seq }: Pick<RunState, 'seq'>): Promise<Spent> {
  accounts.refresh(`spent after ${seq}`);
  try {
    return (await accounts.facts()).map(({ account, headroom_pct, resets_at, reason }) => ({
      account,
      headroom_pct,
      resets_at,
      ...(reason !== undefined && { reason }),
    }));
  } catch (error) {
    // The run has ended all the same; its report says that nothing was read.
    if (error instanceof AgentKitError) return [];
    throw error;
  }
}

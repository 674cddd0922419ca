import type { Command } from 'commander';
import { formatAccount } from '../../core/accounts/account.ts';
import type { Capacity } from '../../core/accounts/capacity.ts';
import { AgentKitError } from '../../core/agentKitError.ts';
import { percentage } from '../optionValues.ts';
import type { Session } from '../session.ts';
import { table } from '../table.ts';
import { localTime } from '../localTime.ts';

const more = `
It goes by what was last read of the account and contacts nobody; ak usage reads anew. An agent asks about itself with
--self, so that it can end its work in order before its account is empty.

Exit codes: 0 every account is ok, 1 one is low, critical or unknown, 2 wrong usage, 3 nothing matches.
`;

interface CapacityOptions {
  self?: boolean;
  low?: number;
  critical?: number;
  model?: string;
}

/** `ak capacity`. */
export function fillCapacity(command: Command, session: Session): void {
  command
    .argument('[kind]', 'only accounts of this kind')
    .argument('[profile]', 'only this one, like @work')
    .option('--self', 'the account under which the agent that asks works')
    .option('--low <pct>', 'free share from which on down it is low', percentage, 25)
    .option('--critical <pct>', 'the same for critical', percentage, 10)
    .option('--model <model>', "count this model's own windows too")
    .option('--json', 'print capacity-v1')
    .addHelpText('after', more)
    .action(async (first: string | undefined, second: string | undefined, options: CapacityOptions) => {
      // A profile may stand alone.
      const [kind, profile] =
        first?.startsWith('@') === true && second === undefined ? [second, first] : [first, second];
      const desk = await session.accounts();
      const answer = await desk.capacity({ kind, profile, ...options });
      if (answer.accounts.length === 0)
        throw new AgentKitError(
          'not_found',
          'There is no such account; add one: ak profiles add claude @work',
        );
      if (answer.accounts.some(({ verdict }) => verdict !== 'ok')) session.exitCode = 1;
      session.answer('capacity-v1', answer, table(answer.accounts.map(row)));
    });
}

function row(account: Capacity): string[] {
  const { verdict, free_pct: free, binding_window: window, resets_at: reset, reason, age_s: age } = account;
  const room = free === null ? '' : `${Math.round(free)} % free${window === null ? '' : ` of ${window}`}`;
  const until = reset === null ? '' : `resets ${localTime(reset)}`;
  const why = reason ?? (age === null ? '' : `read ${age} s ago`);
  return [formatAccount(account), verdict, room, until, why];
}

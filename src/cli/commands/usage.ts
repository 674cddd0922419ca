import type { Command } from 'commander';
import { formatAccount } from '../../core/accounts/account.ts';
import type { AccountReading } from '../../core/accounts/usage.ts';
import { wholeNumber } from '../optionValues.ts';
import type { Session } from '../session.ts';
import { table } from '../table.ts';

/** `ak usage`; it needs no repository. */
export function fillUsage(command: Command, session: Session): void {
  command
    .argument('[kind]', 'only accounts of this kind')
    .option('--max-age <seconds>', 'take a reading up to this old instead of a new one', wholeNumber)
    .option('--json', 'print usage-v1')
    .action(async (kind: string | undefined, options: { maxAge?: number }) => {
      const desk = await session.accounts();
      const accounts = await desk.read({ ...(kind !== undefined && { kind }), maxAgeS: options.maxAge ?? 0 });
      session.answer('usage-v1', { generated_at: new Date().toISOString(), accounts }, usageText(accounts));
    });
}

function usageText(accounts: readonly AccountReading[]): string {
  if (accounts.length === 0) return 'There are no accounts yet. Add one: ak profiles add demo @one';
  return table(
    accounts.map((account) => [
      formatAccount(account),
      account.status,
      account.windows
        .map(
          ({ id, free_pct, resets_at }) =>
            `${id} ${Math.round(free_pct)} % free${resets_at === null ? '' : ` until ${resets_at}`}`,
        )
        .join(', '),
      account.reason ?? '',
    ]),
  );
}

import type { Command } from 'commander';
import { formatAccount } from '../../core/accounts/account.ts';
import type { AccountReading, UsageWindow } from '../../core/accounts/usage.ts';
import { localTime } from '../localTime.ts';
import { wholeNumber } from '../optionValues.ts';
import type { Session } from '../session.ts';
import { table } from '../table.ts';

const more = `
It asks each vendor once, through the CLI where that can tell, and keeps the numbers for everybody on this machine. An
account that cannot be read keeps its last good numbers with their age, and says why. Times are those of your zone; with
--json they are UTC. Nothing asks by itself: boards and ak capacity go by the last reading, and ak pick asks again where
that is older than its --max-age, 300 seconds unless you say otherwise.

  ak usage claude --max-age 3600      a reading of the last hour will do
  ak capacity --self                  an agent asks about itself, without contacting anybody

Exit codes: 0 done, whatever was read, 2 wrong usage, 3 no such kind, or no account of it.
`;

/** `ak usage`; it needs no repository. */
export function fillUsage(command: Command, session: Session): void {
  command
    .argument('[kind]', 'only accounts of this kind')
    .option('--max-age <seconds>', 'take a reading up to this old instead of a new one', wholeNumber)
    .option('--json', 'print usage-v1')
    .addHelpText('after', more)
    .action(async (kind: string | undefined, options: { maxAge?: number }) => {
      const desk = await session.accounts();
      const accounts = await desk.read({ ...(kind !== undefined && { kind }), maxAgeS: options.maxAge ?? 0 });
      if (kind !== undefined && accounts.length === 0) session.exitCode = 3;
      session.answer(
        'usage-v1',
        { generated_at: new Date().toISOString(), accounts },
        accounts.length > 0 ? table(accounts.flatMap(rows)) : none(kind ?? 'claude'),
      );
    });
}

function none(kind: string): string {
  return `There are no accounts yet. Add one: ak profiles add ${kind} @work`;
}

/** A row for each window; what is said of the account stands in the first. */
function rows(account: AccountReading): string[][] {
  const { status, plan = '', windows, age_s: age } = account;
  const about = [formatAccount(account), status.replaceAll('_', ' '), plan];
  const why = account.reason ?? (age !== null && age >= 60 ? `read ${ageText(age)} ago` : '');
  const shown = windows.length > 0 ? windows.map(windowCells) : [['', '', '']];
  return shown.map((cells, index) =>
    index === 0 ? [...about, ...cells, why] : [...about.map(() => ''), ...cells, ''],
  );
}

function windowCells({ label, free_pct: free, resets_at: reset }: UsageWindow): string[] {
  return [label, `${Math.round(free)} % free`, reset === null ? '' : `resets ${localTime(reset)}`];
}

function ageText(seconds: number): string {
  if (seconds < 3600) return `${Math.round(seconds / 60)} min`;
  return seconds < 172_800 ? `${Math.round(seconds / 3600)} h` : `${Math.round(seconds / 86_400)} days`;
}

import type { Command } from 'commander';
import type { Lease } from '../../engine/createAccounts.ts';
import { leaseLife, type LeaseLifeOptions } from '../leaseLife.ts';
import { localTime } from '../localTime.ts';
import { notEmpty, positiveNumber } from '../optionValues.ts';
import type { Session } from '../session.ts';
import { table } from '../table.ts';

const more = `
A lease says that somebody writes under an account, so that no window, shell or agent on this machine takes it too.
Runs, lanes and screens lease by themselves. One that you add lives with the process that calls ak (the shell or script,
or what --pid says), or with --ttl, which excludes --pid, for that many seconds.

Exit codes: 0 done, 1 others have the account, 2 wrong usage, 3 no such account, process or lease, 6 an agent works
under it, or you excluded the account.
`;

/** `ak lease`. */
export function fillLease(lease: Command, session: Session): void {
  lease.addHelpText('after', more);
  lease
    .command('ls', { isDefault: true })
    .description('List the accounts that are in use, and by whom.')
    .option('--json', 'print leases-v1')
    .action(async () => {
      const leases = await (await session.accounts()).leases();
      session.answer(
        'leases-v1',
        { leases },
        leases.length > 0 ? table(leases.map(row)) : 'No account is in use.',
      );
    });
  lease
    .command('add')
    .description('Take an account for somebody who works under it.')
    .argument('<account>', 'like claude/@work')
    .requiredOption(
      '--owner <id>',
      'who works under it; taking it again for the same one renews it',
      notEmpty,
    )
    .option('--ttl <seconds>', 'it lapses after this time, not with a process', positiveNumber)
    .option('--pid <process>', 'it lives with this process; default: the one that calls ak', positiveNumber)
    .option('--json', 'print lease-v1')
    .addHelpText('after', more)
    .action(async (account: string, { owner, ...life }: LeaseLifeOptions & { owner: string }) => {
      const taken = await (await session.accounts()).lease(account, { owner, ...leaseLife(life) });
      session.answer('lease-v1', taken, `${taken.id}  ${taken.account} is leased to ${taken.owner}`);
    });
  lease
    .command('release')
    .description('Give an account back.')
    .argument('<id>', 'as ak lease ls tells it')
    .option('--json', 'print lease-v1')
    .action(async (id: string) => {
      const freed = await (await session.accounts()).releaseLease(id);
      session.answer('lease-v1', freed, `${freed.account} is free again`);
    });
}

function row({ id, account, mode, owner, process: taker, ttl_s: ttl, taken_at }: Lease): string[] {
  const lives = ttl !== undefined ? `for ${ttl} s` : taker === null ? '' : `process ${taker.pid}`;
  return [id, account, mode === 'read' ? 'reads' : 'writes', owner, `since ${localTime(taken_at)}`, lives];
}

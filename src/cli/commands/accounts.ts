import { type Command, InvalidArgumentError, Option } from 'commander';
import { formatAccount } from '../../core/accounts/account.ts';
import type { PickRequest } from '../../core/accounts/pickAccounts.ts';
import type { AccountReading } from '../../core/accounts/usage.ts';
import type { Profile } from '../../engine/agentKit.ts';
import type { Session } from '../session.ts';
import { table } from '../table.ts';

/** `ak usage`, `ak pick` and `ak profiles`; they need no repository. */
export function addAccountCommands(program: Command, session: Session): void {
  program
    .command('usage')
    .description(
      'Show what is left of each account: its windows, when they reset, and how old the reading is.',
    )
    .argument('[kind]', 'only accounts of this kind')
    .option('--max-age <seconds>', 'take a reading up to this old instead of a new one', wholeNumber)
    .option('--json', 'print usage-v1')
    .action(async (kind: string | undefined, options: { maxAge?: number }) => {
      const desk = await session.accounts();
      const accounts = await desk.read({ ...(kind !== undefined && { kind }), maxAgeS: options.maxAge ?? 0 });
      session.answer('usage-v1', { generated_at: new Date().toISOString(), accounts }, usageText(accounts));
    });

  program
    .command('pick')
    .description('Choose the accounts with most room for the next piece of work.')
    .argument('<kind>', 'kind of agent, like demo')
    .option('--count <n>', 'how many accounts', positiveNumber, 1)
    .option('--model <model>', "count this model's own windows too")
    .addOption(new Option('--exclude <profile...>', 'leave out this profile, like @one').argParser(collect))
    .addOption(
      new Option('--need <window:pct...>', 'only with this much free in a window, like 5h:30').argParser(
        collect,
      ),
    )
    .option('--reserve <pct>', 'keep this much of every window free', wholeNumber)
    .option('--max-age <seconds>', 'take a reading up to this old', wholeNumber, 300)
    .option('--json', 'print pick-v1')
    .action(async (kind: string, options: PickOptions) => {
      const desk = await session.accounts();
      const answer = await desk.pick(pickRequest(kind, options));
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
    });

  const profiles = program
    .command('profiles')
    .description('The logins of each kind, each in a folder of its own.');
  profiles
    .command('ls', { isDefault: true })
    .description('List the profiles.')
    .option('--json', 'print profiles-v1')
    .action(async () => {
      const list = (await (await session.accounts()).profiles()).map(profileAnswer);
      session.answer(
        'profiles-v1',
        { profiles: list },
        table(list.map(({ kind, profile, path }) => [`${kind}/${profile}`, path ?? ''])),
      );
    });
  profiles
    .command('add')
    .description('Make the folder of a new profile.')
    .argument('<kind>')
    .argument('<profile>', 'name with its @, like @one')
    .option('--json', 'print profile-v1')
    .action(async (kind: string, profile: string) => {
      const added = profileAnswer(await (await session.accounts()).addProfile(kind, profile));
      session.answer('profile-v1', added, added.path ?? '');
    });
  profiles
    .command('path')
    .description("Print a profile's folder.")
    .argument('<kind>')
    .argument('<profile>')
    .option('--json', 'print profile-v1')
    .action(async (kind: string, profile: string) => {
      const found = profileAnswer(await (await session.accounts()).profile(kind, profile));
      session.answer('profile-v1', found, found.path ?? '');
    });
}

/** Path is null for the CLI's own home. */
function profileAnswer(profile: Profile): { kind: string; profile: string; path: string | null } {
  return { kind: profile.kind, profile: profile.name, path: profile.folder };
}

interface PickOptions {
  count: number;
  model?: string;
  exclude?: string[];
  need?: string[];
  reserve?: number;
  maxAge: number;
}

function pickRequest(kind: string, options: PickOptions): PickRequest {
  return {
    kind,
    count: options.count,
    max_age_s: options.maxAge,
    ...(options.model !== undefined && { model: options.model }),
    ...(options.exclude !== undefined && { exclude: options.exclude }),
    ...(options.reserve !== undefined && { reserve_pct: options.reserve }),
    ...(options.need !== undefined && { need: options.need.map(parseNeed) }),
  };
}

function parseNeed(text: string): { window: string; pct: number } {
  const colon = text.lastIndexOf(':');
  const pct = Number(text.slice(colon + 1));
  if (colon < 1 || !Number.isFinite(pct))
    throw new InvalidArgumentError(`write --need like 5h:30, not "${text}"`);
  return { window: text.slice(0, colon), pct };
}

function collect(value: string, earlier: string[] | undefined): string[] {
  return [...(earlier ?? []), ...value.split(',')];
}

function wholeNumber(text: string): number {
  if (!/^\d+$/.test(text)) throw new InvalidArgumentError('it must be a whole number.');
  return Number(text);
}

function positiveNumber(text: string): number {
  const number = wholeNumber(text);
  if (number === 0) throw new InvalidArgumentError('it must be at least 1.');
  return number;
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

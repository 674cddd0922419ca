import { type Command, InvalidArgumentError, Option } from 'commander';
import { formatAccount } from '../../core/accounts/account.ts';
import type { PickRequest } from '../../core/accounts/pickAccounts.ts';
import { collect, positiveNumber, wholeNumber } from '../optionValues.ts';
import type { Session } from '../session.ts';

/** `ak pick`; it needs no repository. */
export function fillPick(command: Command, session: Session): void {
  command
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
      const answer = await session.pick(pickRequest(kind, options));
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
}

interface PickOptions {
  count: number;
  model?: string;
  exclude?: string[];
  need?: string[];
  reserve?: number;
  maxAge: number;
}

function pickRequest(kind: string, options: PickOptions): PickRequest & { kind: string } {
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

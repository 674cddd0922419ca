import { type Command, Option } from 'commander';
import { AgentKitError } from '../../core/agentKitError.ts';
import { answerPick } from '../answerPick.ts';
import { leaseLife, type LeaseLifeOptions } from '../leaseLife.ts';
import { positiveNumber } from '../optionValues.ts';
import { pickOptions, pickRequest, type PickOptions } from '../pickOptions.ts';
import type { Session } from '../session.ts';
import { tellPick } from '../tellPick.ts';

const more = `
The account with the most headroom comes first: the smallest free share over its windows, after the reserve (10 % of
weekly windows). Accounts that cannot be read, are in use or excluded are not chosen; each comes with its reason.

  ak pick claude --json                           for a script: .chosen[0].profile
  ak pick claude --need 5h:30                     only with 30 % free in the 5-hour window
  ak pick claude --count 2 --lease build          take both, so that nobody else gets them; ak lease ls tells of it

A lease lives with the process that calls ak (or --pid), or for --ttl seconds.

Exit codes: 0 chosen, 1 none qualifies, 2 wrong usage, 3 no such kind, or no account of it.
`;

interface LeaseOptions extends LeaseLifeOptions {
  lease?: string;
}

/** `ak pick`; it needs no repository. Its plain command lines never come here: see `quickPick`. */
export function fillPick(command: Command, session: Session): void {
  command.argument('<kind>', 'kind of agent, like demo');
  for (const { flags, description, initial, read, gather } of pickOptions) {
    const option = new Option(flags, description).default(initial);
    if (read) option.argParser(read);
    if (gather) option.argParser(gather);
    command.addOption(option);
  }
  command
    .option('--lease <owner>', 'take what is chosen for this owner, in the same step')
    .option('--ttl <seconds>', 'with --lease: it lapses after this time', positiveNumber)
    .option('--pid <process>', 'with --lease: it lives with this process', positiveNumber)
    .option('--json', 'print pick-v1')
    .addHelpText('after', more)
    .action(async (kind: string, options: PickOptions & LeaseOptions) => {
      const { lease: owner, ttl, pid } = options;
      if (owner === undefined) {
        if (ttl !== undefined || pid !== undefined)
          throw new AgentKitError('usage', '--ttl and --pid say how long a lease lives; add --lease OWNER');
        return answerPick(session, kind, options);
      }
      if (owner.trim() === '') throw new AgentKitError('usage', '--lease needs the name of an owner');
      const desk = await session.accounts();
      const answer = await desk.pickAndLease(pickRequest(kind, options), {
        owner,
        ...leaseLife({ ...(ttl !== undefined && { ttl }), ...(pid !== undefined && { pid }) }),
      });
      return tellPick(session, kind, answer);
    });
}

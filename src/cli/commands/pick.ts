import { type Command, Option } from 'commander';
import { answerPick } from '../answerPick.ts';
import { pickOptions, type PickOptions } from '../pickOptions.ts';
import type { Session } from '../session.ts';

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
    .option('--json', 'print pick-v1')
    .action((kind: string, options: PickOptions) => answerPick(session, kind, options));
}

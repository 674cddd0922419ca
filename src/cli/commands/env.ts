import type { Command } from 'commander';
import { shellWord } from '../shellWord.ts';
import type { Session } from '../session.ts';

const more = `
Each line is KEY=VALUE, with the value in single quotes where a shell needs them; there is never a secret in it. For a
shell of your own:
  set -a; eval "$(ak env claude @work)"; set +a; claude

Without a profile it is AGENTKIT_PROFILE, else your default profile, else the CLI's own home, which needs no variable
and so prints no line. A key in your environment wins over the account: it is named on standard error.

Exit codes: 0 done, 2 no proper name, 3 no such kind or profile.
`;

/** `ak env`. */
export function fillEnv(command: Command, session: Session): void {
  command
    .argument('<kind>', 'kind of agent, like claude')
    .argument('[profile]', 'like @work')
    .option('--json', 'print env-v1')
    .addHelpText('after', more)
    .action(async (kind: string, name: string | undefined) => {
      const machine = await session.machine();
      const { profile, env, overridden_by } = await machine.environmentOf(kind, name);
      const answer = { kind: profile.kind, profile: profile.name, env, overridden_by };
      session.answer('env-v1', answer, Object.entries(env).map(line).join('\n'));
      if (overridden_by.length > 0 && !session.json)
        session.say(`These win over the account: unset ${overridden_by.join(' ')}`);
    });
}

function line([key, value]: [string, string]): string {
  return `${key}=${shellWord(value)}`;
}

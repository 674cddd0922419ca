import type { Command } from 'commander';
import { isatty } from 'node:tty';
import { AgentKitError } from '../../core/agentKitError.ts';
import type { ScreenRequest } from '../../engine/createMachine.ts';
import type { Session } from '../session.ts';

const more = `
It replaces this screen and lives with this terminal: closing the terminal ends it. Meanwhile the account is held, so
no agent is started under it. Its exit code is handed on. For work that nobody watches: ak run.

Without a profile it is AGENTKIT_PROFILE, else your default profile, else the CLI's own home. The agent works without
asking; --ask, AGENTKIT_PERMISSIONS=ask or "permissions: ask" in your settings make it ask, also over --auto; then ARGS that would
have it act without asking are refused.

Exit codes before it has started: 1 others have the account, 2 wrong usage or no terminal, 3 not installed, no such
profile, 6 refused by a safety rule.
`;

interface ScreenOptions {
  ask?: boolean;
  auto?: boolean;
  continue?: boolean;
  resume?: string | true;
  model?: string;
}

/** `ak <kind>`, where the name is one of a kind of agent: the vendor's own screen. */
export async function addScreen(program: Command, name: string, session: Session): Promise<void> {
  const kind = (await session.accounts()).kinds().find(({ id }) => id === name);
  if (kind === undefined) return;
  program
    .command(name)
    .description(`Open the screen of ${kind.label} under one of its accounts, in this terminal.`)
    .usage('[@profile] [options] [-- ARGS…]')
    .argument('[words...]', "the profile, like @work; behind -- the CLI's own arguments")
    .option('--ask', 'let it ask before it acts')
    .option('--auto', 'let it act without asking (the default)')
    .option('-c, --continue', 'go on with the newest session of this folder')
    .option('-r, --resume [id]', 'go on with a session; without its id the CLI lets you choose')
    .option('--model <model>', "model, in the vendor's words")
    .addHelpText('after', more)
    .action(async (words: string[], options: ScreenOptions) => {
      const request = readRequest(name, words, options, session);
      if (!kind.hasScreen)
        throw new AgentKitError(
          'usage',
          `${kind.label} has no screen of its own; run it with: ak run ${name}`,
        );
      if (!isatty(0) || !isatty(1))
        throw new AgentKitError(
          'usage',
          `Here is no terminal for the screen of ${kind.label}; without one: ak run ${name} -- PROMPT`,
        );
      const machine = await session.machine();
      session.interrupts.release();
      session.exitCode = await machine.openScreen(request, ({ account, posture }) => {
        const how = posture === 'ask' ? 'it asks before it acts' : 'it acts without asking';
        session.say(`${account}: ${how}. It lives with this terminal, and the account is held as long.`);
      });
    });
}

function readRequest(
  kind: string,
  words: readonly string[],
  options: ScreenOptions,
  { behind = [] }: Session,
): ScreenRequest {
  const named = words.slice(0, words.length - behind.length);
  const { ask, auto, model, continue: last } = options;
  let { resume } = options;
  // `-r @work` takes the profile for the id, which none can be.
  if (typeof resume === 'string' && resume.startsWith('@')) {
    named.push(resume);
    resume = true;
  }
  const [profile, ...others] = named;
  if (others.length > 0 || profile?.startsWith('@') === false) {
    const odd = others.length > 0 ? others.join(' ') : profile;
    throw new AgentKitError(
      'usage',
      `What is "${odd}"? Here stands at most a profile, like @work; the CLI's own arguments come behind --`,
    );
  }
  if (last === true && resume !== undefined)
    throw new AgentKitError('usage', '-c and -r contradict each other; leave one of them out');
  return {
    kind,
    ...(profile !== undefined && { profile }),
    flags: { ask, auto },
    ...(model !== undefined && { model }),
    ...(last === true && { resume: 'last' as const }),
    ...(resume !== undefined && { resume: resume === true ? ('choose' as const) : { id: resume } }),
    args: behind,
    cwd: process.cwd(),
  };
}

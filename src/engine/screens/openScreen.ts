import { formatAccount } from '../../core/accounts/account.ts';
import { AgentKitError } from '../../core/agentKitError.ts';
import { choosePosture } from '../../core/safety/posture.ts';
import type { AccountDesk } from '../accounts/accountDesk.ts';
import { requireIncluded } from '../accounts/knownLogin.ts';
import { listLeases, releaseLease, takeLease } from '../accounts/leases.ts';
import type { InteractiveOptions } from '../agents/agentKind.ts';
import { runInTerminal } from '../process/runInTerminal.ts';
import { usualProfile } from './usualProfile.ts';

type Environment = Readonly<Record<string, string | undefined>>;

export interface ScreenRequest {
  kind: string;
  /** With its `@`; the person's default when it is left out, else the CLI's own home. */
  profile?: string;
  flags: { ask?: boolean | undefined; auto?: boolean | undefined };
  model?: string;
  resume?: NonNullable<InteractiveOptions['resume']>;
  /** The person's own arguments for the CLI. */
  args: readonly string[];
  cwd: string;
}

/** What is about to be shown. */
export interface ScreenStart {
  account: string;
  posture: 'ask' | 'auto';
}

/**
 * Opens a vendor's own screen under an account in this process's terminal, and returns its exit code. Somebody works
 * under the account as long as it is open, so it is held so long.
 * @throws AgentKitError `usage`, `not_found`, `not_installed`, `refused` with what to do, `wrong_account`; `conflict`
 *   when others have the account
 */
export async function openScreen(
  { desk, environment }: { desk: AccountDesk; environment: Environment },
  request: ScreenRequest,
  onStart: (start: ScreenStart) => void,
): Promise<number> {
  const { kind, flags, model, resume, args, cwd } = request;
  const settings = await desk.settings();
  // There is no reading-only screen.
  const posture = choosePosture({ flags, said: [settings.permissions] }) === 'auto' ? 'auto' : 'ask';
  const { name } = await desk.profile(kind, await usualProfile(desk, request, settings, environment));
  const account = formatAccount({ kind, profile: name });
  const start = await desk.screen(kind, name, {
    posture,
    args,
    ...(model !== undefined && { model }),
    ...(resume !== undefined && { resume }),
  });
  await requireIncluded(account, environment);
  const owner = `terminal/${process.pid}`;
  if (!(await takeLease({ account, owner, environment }))) throw await heldBy(account, environment);
  try {
    await desk.confirmScreen(kind, name, owner);
    onStart({ account, posture });
    const withheld = new Set(start.withheld);
    const inherited = Object.entries(environment).filter(([each]) => !withheld.has(each));
    return await runInTerminal({
      argv: start.argv,
      cwd,
      environment: { ...Object.fromEntries(inherited), ...start.env },
      // From now on it lives with what works under it, also where this process is killed.
      onStarted: async (pid) => {
        await takeLease({ account, owner, pid, environment });
      },
    });
  } finally {
    await releaseLease({ owner, environment });
  }
}

async function heldBy(account: string, environment: Environment): Promise<AgentKitError> {
  const lease = (await listLeases({ environment })).find((each) => each.account === account);
  const who = lease ? `${lease.owner} since ${lease.taken_at}` : 'another writer of the same login';
  return new AgentKitError(
    'conflict',
    `${account} is in use by ${who}; wait for it, or name another account.`,
  );
}

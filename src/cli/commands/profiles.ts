import type { Command } from 'commander';
import { AgentKitError } from '../../core/agentKitError.ts';
import type { AccountDesk, Profile } from '../../engine/createAccounts.ts';
import { askPerson, canAskPerson } from '../askPerson.ts';
import type { Session } from '../session.ts';
import { shellWord } from '../shellWord.ts';
import { table } from '../table.ts';

const more = `
A profile is a folder with a login of its own, which the vendor's CLI keeps there; @default is the CLI's own home. ak
never sees a login: the vendor's own command, which add tells, asks you for it. Adding and deleting is left to you, and
refused in an agent's environment.

Examples:
  ak profiles add claude @work      make one, then log in with the command that it tells
  ak claude @work                   open the vendor's own screen under it
  ak usage claude                   see whether it is logged in, and what is left
  ak profiles rm claude @work       delete the folder with the login; at the vendor nothing changes

Exit codes: 0 done, 1 you said no, or it is there already, 2 no proper name, 3 no such kind or profile, 6 refused by a
safety rule.
`;

/** `ak profiles`; it needs no repository, but for kinds that one describes. */
export function fillProfiles(profiles: Command, session: Session): void {
  profiles.addHelpText('after', more);
  profiles
    .command('ls', { isDefault: true })
    .description('List the profiles.')
    .option('--json', 'print profiles-v1')
    .action(async () => {
      const desk = await session.accountsHere();
      const list = (await desk.profiles()).map(profileAnswer);
      const problems = await desk.profileProblems();
      const rows = list.map(({ kind, profile, path }) => [
        `${kind}/${profile}`,
        path ?? "the CLI's own home",
      ]);
      const unused = problems.map(({ problem }) => `Not used: ${problem}`);
      const text =
        rows.length > 0 ? [table(rows)] : ['There is no profile; add one: ak profiles add claude @work'];
      session.answer(
        'profiles-v1',
        {
          profiles: list,
          problems: problems.map(({ kind, name, folder, problem }) => ({
            kind,
            profile: name,
            path: folder,
            problem,
          })),
        },
        [...text, ...unused].join('\n'),
      );
    });
  profiles
    .command('add')
    .description('Make the folder of a new profile.')
    .argument('<kind>')
    .argument('<profile>', 'name with its @, like @one')
    .option('--json', 'print profile-v1')
    .action(async (kind: string, profile: string) => {
      const desk = await session.accountsHere(kind);
      const added = profileAnswer(await desk.addProfile(kind, profile));
      session.answer('profile-v1', added, added.path ?? '');
      if (!session.json) session.say(await nextStep(desk, added));
    });
  profiles
    .command('path')
    .description("Print a profile's folder.")
    .argument('<kind>')
    .argument('<profile>')
    .option('--json', 'print profile-v1')
    .action(async (kind: string, profile: string) => {
      const found = profileAnswer(await (await session.accountsHere(kind)).profile(kind, profile));
      session.answer('profile-v1', found, found.path ?? '');
    });
  profiles
    .command('rm')
    .description("Delete a profile's folder with its login; the account at the vendor stays as it is.")
    .argument('<kind>')
    .argument('<profile>')
    .option('--yes', 'without a question')
    .option('--json', 'print profile-v1')
    .action(async (kind: string, profile: string, { yes }: { yes?: boolean }) => {
      const desk = await session.accountsHere(kind);
      const found = profileAnswer(await desk.profile(kind, profile));
      if (found.path !== null && yes !== true && !(await isMeant(session, found))) {
        session.exitCode = 1;
        session.answer('profile-v1', { ...found, removed: false }, 'Kept.');
        return;
      }
      const gone = profileAnswer(await desk.removeProfile(kind, profile));
      session.answer('profile-v1', { ...gone, removed: true }, `Deleted: ${gone.path}`);
    });
}

/** How to log in; a kind without a login can be used at once. */
async function nextStep(desk: AccountDesk, { kind, profile }: ProfileAnswer): Promise<string> {
  try {
    const { argv, env } = await desk.login(kind, profile);
    const selected = Object.entries(env).filter(([name]) => !name.startsWith('AGENTKIT_'));
    const words = [...selected.map(([name, value]) => `${name}=${shellWord(value)}`), ...argv.map(shellWord)];
    return `Now log in, in a terminal: ${words.join(' ')}`;
  } catch (error) {
    if (!(error instanceof AgentKitError)) throw error;
    return error.reason === 'usage' ? `It is ready: ak run ${kind} ${profile}` : error.message;
  }
}

/** @throws AgentKitError `refused` where nobody can be asked */
async function isMeant(session: Session, { kind, profile, path }: ProfileAnswer): Promise<boolean> {
  const what = `This deletes ${path}: the login, the settings and the sessions of ${kind}/${profile}`;
  if (canAskPerson()) return askPerson(session, `${what}.\nDelete it?`);
  throw new AgentKitError(
    'refused',
    `${what}. Here is no terminal to ask you in; if you mean it: ak profiles rm ${kind} ${profile} --yes`,
  );
}

interface ProfileAnswer {
  kind: string;
  profile: string;
  /** Null for the CLI's own home. */
  path: string | null;
}

function profileAnswer(profile: Profile): ProfileAnswer {
  return { kind: profile.kind, profile: profile.name, path: profile.folder };
}

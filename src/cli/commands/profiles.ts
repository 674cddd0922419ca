import type { Command } from 'commander';
import { AgentKitError } from '../../core/agentKitError.ts';
import type { Profile } from '../../engine/createAccounts.ts';
import { askPerson, canAskPerson } from '../askPerson.ts';
import type { Session } from '../session.ts';
import { table } from '../table.ts';

/** `ak profiles`; it needs no repository, but for kinds that one describes. */
export function fillProfiles(profiles: Command, session: Session): void {
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
      const added = profileAnswer(await (await session.accountsHere(kind)).addProfile(kind, profile));
      session.answer('profile-v1', added, added.path ?? '');
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

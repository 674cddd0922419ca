import type { Command } from 'commander';
import type { Profile } from '../../engine/createAccounts.ts';
import type { Session } from '../session.ts';
import { table } from '../table.ts';

/** `ak profiles`; it needs no repository. */
export function fillProfiles(profiles: Command, session: Session): void {
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

import { messageOf } from '../../../core/agentKitError.ts';
import { askCli } from '../../process/askCli.ts';
import type { Probe, Profile } from '../agentKind.ts';
import { findExecutable } from '../findExecutable.ts';
import { missingProgram } from './missingProgram.ts';
import type { UserKindDefinition } from './userKindSchema.ts';

export interface UserProbe {
  definition: UserKindDefinition;
  profile: Profile;
  inherited: Readonly<Record<string, string | undefined>>;
  home: (profile: Profile) => Record<string, string>;
}

/** Whether the program is there; whether it has a login nobody has described. Never rejects. */
export async function probeUserKind({ definition, profile, inherited, home }: UserProbe): Promise<Probe> {
  const [program = ''] = definition.run;
  if (findExecutable(program, inherited) === null) {
    return { version: null, login: 'unknown', problem: missingProgram(program, definition.install) };
  }
  const missing = (definition.env ?? []).filter((name) => (inherited[name] ?? '') === '');
  try {
    const version = await readVersion(definition, inherited, home(profile));
    return missing.length === 0
      ? { version, login: 'unknown' }
      : { version, login: 'not_logged_in', problem: `It needs ${missing.join(', ')}, which is not set` };
  } catch (error) {
    return { version: null, login: 'unknown', problem: messageOf(error) };
  }
}

async function readVersion(
  { version: words, install }: UserKindDefinition,
  inherited: UserProbe['inherited'],
  env: Record<string, string>,
): Promise<string> {
  if (words === undefined) {
    return 'not told';
  }
  const command = findExecutable(words[0] ?? '', inherited);
  if (command === null) {
    throw new Error(missingProgram(words[0] ?? '', install));
  }
  const { lines } = await askCli({ argv: [command, ...words.slice(1)], inherited, env });
  const told = lines.find((line) => line.trim() !== '') ?? '';
  return /\d+\.\d+[\w.+-]*/.exec(told)?.[0] ?? (told.trim().slice(0, 40) || 'not told');
}

import { AgentKitError } from '../../core/agentKitError.ts';
import type { PersonSettings } from '../../core/accounts/personSettings.ts';
import { profilesRoot, readPersonSettings, settingsFiles } from '../accounts/personSettings.ts';
import { quoteForShell } from '../agents/quoteForShell.ts';
import { readPersonKinds } from '../agents/user/readPersonKinds.ts';
import { listConsents } from '../person/consents.ts';
import { listTrusted } from '../person/repositoryTrust.ts';
import { type DoctorFinding, problem } from './finding.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Reads everything that the person has set, and where their profiles are; what others may write is found with the folders. */
export async function examineSettings(
  environment: Environment,
): Promise<{ settings: PersonSettings | null; profiles: string | null; findings: DoctorFinding[] }> {
  const findings: DoctorFinding[] = [];
  const read = async <T>(reader: (environment: Environment) => Promise<T>): Promise<T | null> => {
    try {
      return await reader(environment);
    } catch (error) {
      if (!(error instanceof AgentKitError)) throw error;
      findings.push(...findingsOf(error, environment));
      return null;
    }
  };
  const settings = await read(readPersonSettings);
  // It reads the same files, so what is wrong there is told.
  const profiles = settings === null ? null : await read(profilesRoot);
  if (settings !== null) await read((where) => Promise.resolve(where).then(readPersonKinds));
  await read(listConsents);
  await read(listTrusted);
  return { settings, profiles, findings };
}

function findingsOf({ reason, message }: AgentKitError, environment: Environment): DoctorFinding[] {
  if (reason === 'refused') return [];
  if (reason === 'usage') return [problem('environment', message)];
  const files = Object.values(settingsFiles(environment));
  return message.split('\n').map((line) => {
    const file = files.find((each) => line.startsWith(each));
    return problem('settings', line, file === undefined ? null : `\${EDITOR:-vi} ${quoteForShell(file)}`);
  });
}

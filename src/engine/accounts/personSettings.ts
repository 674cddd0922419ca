import { readFile, stat } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { isProfileName } from '../../core/accounts/account.ts';
import { parseEnvironmentFile } from '../../core/accounts/parseEnvironmentFile.ts';
import type { ParsedSettings } from '../../core/accounts/parsePersonSettings.ts';
import type { PersonSettings } from '../../core/accounts/personSettings.ts';
import { AgentKitError } from '../../core/agentKitError.ts';
import type { PlanProblem } from '../../core/plan/plan.ts';
import type { Permissions } from '../../core/safety/posture.ts';
import { quoteForShell } from '../agents/quoteForShell.ts';
import { userFolders } from '../store/userFolders.ts';

type Environment = Readonly<Record<string, string | undefined>>;

const defaultPrefix = 'AGENTKIT_DEFAULT_PROFILE_';

/** The person's two files of settings: ours, and the one of the published `ak`. */
export function settingsFiles(environment: Environment): { settings: string; env: string } {
  const { config } = userFolders(environment);
  return { settings: join(config, 'settings.yaml'), env: join(config, 'env') };
}

/**
 * The person's settings from both files and the environment, which comes before them; but `ask` wins wherever it is
 * said. Changes nothing; missing files say nothing.
 * @throws AgentKitError `invalid_input` with file, line and column of everything that is wrong, `refused` for a file
 *   that others may write, `usage` for an environment that says neither ask nor auto
 */
export async function readPersonSettings(environment: Environment): Promise<PersonSettings> {
  const files = settingsFiles(environment);
  const [yaml, env] = await Promise.all([readPrivate(files.settings), readPrivate(files.env)]);
  const own = yaml === null ? undefined : await parseSettings(yaml, files.settings);
  const fromFile = parseEnv(env, files.env);
  const said = [
    { where: files.settings, what: own?.permissions },
    { where: files.env, what: permissionsIn(fromFile, files.env, 'invalid_input') },
    { where: 'AGENTKIT_PERMISSIONS', what: permissionsIn(environment, 'The environment', 'usage') },
  ];
  const askedBy = said.filter(({ what }) => what === 'ask').map(({ where }) => where);
  return {
    permissions: askedBy.length > 0 ? 'ask' : 'auto',
    askedBy,
    accounts: own?.accounts ?? new Map(),
    defaultProfiles: new Map([
      ...defaultsIn(fromFile, files.env, 'invalid_input'),
      ...(own?.defaultProfiles ?? []),
      ...defaultsIn(environment, 'The environment', 'usage'),
    ]),
    denied: own?.denied ?? [],
    kinds: own?.kinds,
  };
}

/**
 * The folder that holds the profiles of every kind: as the environment says, else the settings of the published `ak`.
 * @throws AgentKitError as `readPersonSettings`
 */
export async function profilesRoot(environment: Environment): Promise<string> {
  const { profiles } = userFolders(environment);
  if (environment['AGENTKIT_PROFILES_DIR']) return profiles;
  const file = settingsFiles(environment).env;
  const { AGENTKIT_PROFILES_DIR: said } = parseEnv(await readPrivate(file), file);
  if (said === undefined || said === '') return profiles;
  if (isAbsolute(said)) return said;
  throw new AgentKitError(
    'invalid_input',
    `${file} sets AGENTKIT_PROFILES_DIR to "${said}"; set it to an absolute path, so that it means the same folder everywhere`,
  );
}

function parseEnv(text: string | null, file: string): Environment {
  const parsed = parseEnvironmentFile(text ?? '');
  if ('problems' in parsed) throw invalid(file, parsed.problems);
  return Object.fromEntries(parsed.values);
}

/** Reading YAML takes longer to load than everything else that a choice of accounts needs. */
async function parseSettings(text: string, file: string): Promise<ParsedSettings> {
  const { parsePersonSettings } = await import('../../core/accounts/parsePersonSettings.ts');
  const parsed = parsePersonSettings(text);
  if ('problems' in parsed) throw invalid(file, parsed.problems);
  return parsed.settings;
}

/** A file of settings; null where there is none. @throws AgentKitError `refused` when others may write it */
export async function readPrivate(file: string): Promise<string | null> {
  const found = await stat(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (found === null) return null;
  if (!found.isFile()) throw new AgentKitError('invalid_input', `${file} is not a file; put it away`);
  if ((found.mode & 0o022) !== 0) {
    throw new AgentKitError(
      'refused',
      `${file} can be written by others; make it yours: chmod go-w ${quoteForShell(file)}`,
    );
  }
  return readFile(file, 'utf8');
}

function invalid(file: string, problems: readonly PlanProblem[]): AgentKitError {
  const lines = problems.map(({ line, column, message }) => `${file}:${line}:${column} ${message}`);
  return new AgentKitError('invalid_input', lines.join('\n'));
}

/** A slip in the one word that stops autonomy must not leave it on. */
function permissionsIn(
  values: Environment,
  where: string,
  reason: 'usage' | 'invalid_input',
): Permissions | undefined {
  const { AGENTKIT_PERMISSIONS: said } = values;
  if (said === undefined || said === '') return undefined;
  if (said === 'ask' || said === 'auto') return said;
  throw new AgentKitError(reason, `${where} sets AGENTKIT_PERMISSIONS to "${said}"; say ask or auto`);
}

function defaultsIn(
  values: Environment,
  where: string,
  reason: 'usage' | 'invalid_input',
): [kind: string, profile: string][] {
  return Object.entries(values).flatMap(([name, value]): [string, string][] => {
    if (!name.startsWith(defaultPrefix) || value === undefined || value === '') return [];
    const profile = value.startsWith('@') ? value : `@${value}`;
    if (isProfileName(profile)) return [[name.slice(defaultPrefix.length).toLowerCase(), profile]];
    throw new AgentKitError(reason, `${where} sets ${name} to "${value}"; name a profile, like @work`);
  });
}

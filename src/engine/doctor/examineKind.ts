import { formatAccount } from '../../core/accounts/account.ts';
import { AgentKitError, messageOf } from '../../core/agentKitError.ts';
import type { Permissions } from '../../core/safety/posture.ts';
import type { AgentKind, Probe, Profile } from '../agents/agentKind.ts';
import { findExecutable } from '../agents/findExecutable.ts';
import { type DoctorFinding, note, problem } from './finding.ts';

type Environment = Readonly<Record<string, string | undefined>>;

export interface ExaminedAccount {
  account: string;
  profile: Profile;
  login: Probe['login'];
  /** The vendor's own name of the login; never shown. */
  identity: string | null;
}

export interface ExaminedKind {
  installed: boolean;
  path: string | null;
  version: string | null;
  accounts: ExaminedAccount[];
  findings: DoctorFinding[];
}

/** Asks the CLI of a kind, and no vendor, for its version and for each of its accounts. Never rejects. */
export async function examineKind(
  kind: AgentKind,
  profiles: readonly Profile[],
  environment: Environment,
  permissions: Permissions,
): Promise<ExaminedKind> {
  const path = kind.cli === undefined ? null : findExecutable(kind.cli.program, environment);
  const installed = kind.install === null || kind.hasDefaultProfile;
  if (kind.probe === undefined || !installed) {
    const findings = installed ? [] : [missing(kind, profiles)];
    const login = kind.login === null ? ('ok' as const) : ('unknown' as const);
    return { installed, path, version: null, accounts: profiles.map((each) => known(each, login)), findings };
  }
  const probed = await probeAll(kind.probe.bind(kind), profiles, environment);
  const version = probed.find(({ probe }) => probe.version !== null)?.probe.version ?? null;
  const accounts = probed.map(({ profile, probe }) => known(profile, probe.login, probe.identity));
  const unfree = whyNotFree(kind, profiles[0]);
  const findings = [
    ...unmeasured(kind, version),
    ...probed.flatMap(({ profile, probe }) =>
      // It is true of the whole kind, and no matter where agents ask.
      unfree !== null && probe.problem === unfree ? [] : probeFinding(profile, probe, accounts),
    ),
    ...sameLogins(accounts),
    ...(unfree !== null && permissions === 'auto' ? [problem('kind', unfree)] : []),
  ];
  return { installed, path, version, accounts, findings };
}

/** One after another: each may take hundreds of megabytes for a moment. */
async function probeAll(
  probe: NonNullable<AgentKind['probe']>,
  profiles: readonly Profile[],
  environment: Environment,
): Promise<{ profile: Profile; probe: Probe }[]> {
  const probed: { profile: Profile; probe: Probe }[] = [];
  for (const profile of profiles) {
    // A CLI that does not tell its version, perhaps after a long while, tells nothing else either.
    const isMute = probed.some((each) => each.probe.version === null);
    const answer = isMute ? notToldEither : await probe(profile, environment).catch(notAsked);
    probed.push({ profile, probe: answer });
  }
  return probed;
}

const notToldEither: Probe = { version: null, login: 'unknown' };

function known(profile: Profile, login: Probe['login'], identity: string | null = null): ExaminedAccount {
  return { account: nameOf(profile), profile, login, identity };
}

function notAsked(error: unknown): Probe {
  return { version: null, login: 'unknown', problem: `it cannot be asked: ${messageOf(error)}` };
}

function missing({ label, install }: AgentKind, profiles: readonly Profile[]): DoctorFinding {
  if (profiles.length === 0) return note('kind', `${label} is not installed`, install);
  return problem(
    'kind',
    `${label} is not installed, and has accounts (${profiles.map(nameOf).join(', ')})`,
    install,
  );
}

/** What a newer version tells may have another shape than the one we read. */
function unmeasured({ label, cli, install }: AgentKind, version: string | null): DoctorFinding[] {
  const newest = cli?.measured.at(-1);
  if (cli === undefined || newest === undefined || version === null || cli.measured.includes(version))
    return [];
  const message = `${label} ${version} is here; ak was measured with ${cli.measured.join(', ')}`;
  return [note('kind', message, install === null ? null : `${install}@${newest}`)];
}

/** Not to be logged in to the CLI's own home is no fault where another account is. */
function probeFinding(profile: Profile, probe: Probe, accounts: readonly ExaminedAccount[]): DoctorFinding[] {
  if (probe.problem === undefined) return [];
  const message = `${nameOf(profile)}: ${probe.problem}`;
  const isSpare =
    profile.folder === null &&
    probe.login === 'not_logged_in' &&
    accounts.some(({ login }) => login === 'ok');
  return [isSpare ? note('account', message) : problem('account', message)];
}

function sameLogins(accounts: readonly ExaminedAccount[]): DoctorFinding[] {
  const identities = new Set(accounts.flatMap(({ identity }) => identity ?? []));
  return [...identities].flatMap((identity) => {
    const same = accounts.filter((each) => each.identity === identity);
    const spare = same.findLast(({ profile }) => profile.folder !== null)?.profile;
    if (same.length < 2 || spare === undefined) return [];
    const message = `${same.map(({ account }) => account).join(' and ')} are one login, so they count as one account`;
    return [problem('account', message, `ak profiles rm ${spare.kind} ${spare.name}`)];
  });
}

/** Why the machine does not let its agents work without asking; null when it does. */
function whyNotFree(kind: AgentKind, profile: Profile | undefined): string | null {
  if (profile === undefined) return null;
  try {
    kind.launch(profile, { posture: 'auto' });
    return null;
  } catch (error) {
    if (error instanceof AgentKitError) return error.message;
    throw error;
  }
}

function nameOf({ kind, name }: Profile): string {
  return formatAccount({ kind, profile: name });
}

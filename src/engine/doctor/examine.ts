import { tmpdir } from 'node:os';
import { AgentKitError } from '../../core/agentKitError.ts';
import { listProfiles } from '../accounts/profiles.ts';
import type { AgentKind, Profile } from '../agents/agentKind.ts';
import { userFolders, type UserFolders } from '../store/userFolders.ts';
import { examineEnvironment, providerKeys } from './examineEnvironment.ts';
import { examineFolders } from './examineFolders.ts';
import { examineKind, type ExaminedAccount, type ExaminedKind } from './examineKind.ts';
import { examineLeases } from './examineLeases.ts';
import { examineRepository } from './examineRepository.ts';
import { examineSandbox } from './examineSandbox.ts';
import { examineSettings } from './examineSettings.ts';
import { examineGit, examineNode } from './examineTools.ts';
import { type DoctorFinding, problem } from './finding.ts';

export interface ExaminedMachine {
  kinds: ReadonlyMap<string, AgentKind>;
  environment: Readonly<Record<string, string | undefined>>;
  /** A folder whose repository is examined too, where it lies in one. */
  folder: string;
  /** Version of the Node that runs us. */
  nodeVersion: string;
  /** Where the kernel tells its settings: `/proc/sys`. */
  system: string;
  userId: number | undefined;
}

export interface DoctorReport {
  node: string;
  /** Null where there is none. */
  git: string | null;
  kinds: Record<string, Omit<ExaminedKind, 'accounts' | 'findings'> & { kind: AgentKind }>;
  accounts: ExaminedAccount[];
  /** Names of variables that hold a provider's key. */
  keys: string[];
  permissions: 'ask' | 'auto';
  /** The repository of the folder; null where it lies in none, or in one that cannot be used. */
  repository: string | null;
  findings: DoctorFinding[];
}

/** Looks at everything that AgentKit stands on. Contacts no vendor, changes nothing, and says how to cure what is wrong. */
export async function examine(machine: ExaminedMachine): Promise<DoctorReport> {
  const { kinds, environment, folder, nodeVersion, system, userId } = machine;
  const home = findFolders(environment);
  const git = await examineGit(tmpdir(), environment);
  const read = home.folders === null ? noSettings : await examineSettings(environment);
  const [folders, leases, repository] = await Promise.all([
    home.folders === null
      ? []
      : examineFolders(
          { ...home.folders, ...(read.profiles !== null && { profiles: read.profiles }) },
          userId,
        ),
    home.folders === null ? [] : examineLeases(environment),
    git.version === null ? { root: null, findings: [] } : examineRepository(folder),
  ]);
  // What cannot be read may say so.
  const permissions = read.settings?.permissions ?? 'ask';
  const examined = await Promise.all(
    [...kinds.values()].map(async (kind) => {
      // The settings say where profiles are.
      const profiles = read.profiles === null ? ownHome(kind) : await listProfiles(kind, environment);
      return { kind, ...(await examineKind(kind, profiles, environment, permissions)) };
    }),
  );
  const installed = examined.flatMap(({ kind, installed }) => (installed && kind.cli ? [kind.cli] : []));
  return {
    node: nodeVersion,
    git: git.version,
    kinds: Object.fromEntries(
      examined.map(({ kind, accounts: _accounts, findings: _findings, ...each }) => [
        kind.id,
        { kind, ...each },
      ]),
    ),
    accounts: examined.flatMap(({ accounts }) => accounts),
    keys: providerKeys(environment),
    permissions,
    repository: repository.root,
    findings: [
      ...examineNode(nodeVersion),
      ...git.findings,
      ...home.findings,
      ...folders,
      ...read.findings,
      ...examined.flatMap(({ findings }) => findings),
      ...(installed.some(({ program }) => program === 'codex') ? await examineSandbox(system, userId) : []),
      ...examineEnvironment(installed, environment),
      ...leases,
      ...repository.findings,
    ],
  };
}

function findFolders(environment: ExaminedMachine['environment']): {
  folders: UserFolders | null;
  findings: DoctorFinding[];
} {
  try {
    return { folders: userFolders(environment), findings: [] };
  } catch (error) {
    if (!(error instanceof AgentKitError)) throw error;
    const cure = environment['HOME']
      ? 'unset AGENTKIT_PROFILES_DIR'
      : 'export HOME="$(eval echo "~$(id -un)")"';
    return { folders: null, findings: [problem('home', error.message, cure)] };
  }
}

const noSettings = { settings: null, profiles: null, findings: [] };

function ownHome(kind: AgentKind): Profile[] {
  return kind.hasDefaultProfile ? [{ kind: kind.id, name: '@default', folder: null }] : [];
}

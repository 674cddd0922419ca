import type { AgentKitOptions } from './agentKitTypes.ts';
import { createKnownKinds } from './agents/kinds.ts';
import { unknownKind } from './agents/unknownKind.ts';
import type { DoctorReport } from './doctor/examine.ts';
import type { DoctorFinding } from './doctor/finding.ts';
import type { Consent } from './person/consents.ts';
import type { RepositoryTrust } from './person/repositoryTrust.ts';
import type { TrustedNow } from './person/trustNow.ts';
import type { ScreenRequest, ScreenStart } from './screens/openScreen.ts';
import type { ProfileEnvironment } from './screens/profileEnvironment.ts';
import type { KindHere } from './screens/kindsHere.ts';

export type {
  Consent,
  DoctorFinding,
  DoctorReport,
  KindHere,
  ProfileEnvironment,
  RepositoryTrust,
  ScreenRequest,
  ScreenStart,
  TrustedNow,
};

/** What holds on this machine for its person, whatever the repository. All methods reject with AgentKitError. */
export interface Machine {
  /** Kinds of agents, whether they are here, and their accounts. Starts no program. */
  kinds(): Promise<KindHere[]>;
  /** Variables that select an account for its CLI. @throws AgentKitError `not_found`, `invalid_input` */
  environmentOf(kind: string, profile: string | undefined): Promise<ProfileEnvironment>;
  consents(): Promise<Consent[]>;
  /** What a consent would allow. @throws AgentKitError `invalid_input`, `refused` to an agent */
  consentToGive(name: string): Promise<string>;
  /** Whoever calls has asked the person. @throws as `consentToGive` */
  giveConsent(name: string): Promise<void>;
  withdrawConsent(name: string): Promise<void>;
  /** Every repository whose commands may run, or might once. */
  trusted(): Promise<TrustedNow[]>;
  /** What the repository of a folder would run, and whether it may. */
  trustOf(folder: string): Promise<RepositoryTrust>;
  /** @throws AgentKitError `refused` to an agent */
  requirePersonFor(act: string): Promise<void>;
  /** Allows exactly what was shown. Whoever calls has asked the person. @throws AgentKitError `refused` to an agent */
  trust(shown: RepositoryTrust): Promise<void>;
  distrust(folder: string): Promise<void>;
  /** Opens a vendor's own screen in this process's terminal; its exit code. @throws as `openScreen` */
  openScreen(request: ScreenRequest, onStart: (start: ScreenStart) => void): Promise<number>;
  /** Looks at everything that AgentKit stands on, and at the repository of a folder. Contacts no vendor. */
  doctor(folder: string): Promise<DoctorReport>;
}

/** Each method loads what it needs: most callers use one. */
export function createMachine(options: Pick<AgentKitOptions, 'node' | 'dist' | 'environment'>): Machine {
  const { environment } = options;
  const kinds = createKnownKinds(options);
  const vendors = () => [...kinds.values()].filter(({ login }) => login !== null).map(({ id }) => id);
  const consents = () => import('./person/consents.ts');
  const trust = () => import('./person/trustNow.ts');
  const desk = async () => (await import('./createAccounts.ts')).createAccounts(options);
  const requirePersonFor = async (act: string) => {
    const { requirePerson } = await import('./person/requirePerson.ts');
    requirePerson(environment, act);
  };
  return {
    kinds: async () => (await import('./screens/kindsHere.ts')).kindsHere(kinds, environment),
    environmentOf: async (id, profile) => {
      const kind = kinds.get(id);
      if (kind === undefined) throw unknownKind(id, kinds, environment);
      const { profileEnvironment } = await import('./screens/profileEnvironment.ts');
      return profileEnvironment({ desk: await desk(), kind }, profile, environment);
    },
    consents: async () => (await consents()).listConsents(environment),
    consentToGive: async (name) => {
      (await consents()).requireConsentName(name, vendors());
      await requirePersonFor('give a consent');
      return (await import('../core/safety/consentName.ts')).describeConsent(name);
    },
    giveConsent: async (name) => (await consents()).addConsent(environment, name, vendors()),
    withdrawConsent: async (name) => (await consents()).removeConsent(environment, name),
    trusted: async () => (await trust()).trustedNow(environment),
    trustOf: async (folder) => (await trust()).trustOfFolder(folder, environment),
    requirePersonFor,
    trust: async (shown) => (await import('./person/repositoryTrust.ts')).trustRepository(shown, environment),
    distrust: async (folder) => (await trust()).distrustFolder(folder, environment),
    openScreen: async (request, onStart) => {
      const { openScreen } = await import('./screens/openScreen.ts');
      return openScreen({ desk: await desk(), environment }, request, onStart);
    },
    doctor: async (folder) => {
      const { examine } = await import('./doctor/examine.ts');
      const { node: nodeVersion } = process.versions;
      const machine = { kinds, environment, folder, nodeVersion, system: '/proc/sys' };
      return examine({ ...machine, userId: process.getuid?.() });
    },
  };
}

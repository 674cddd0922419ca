import { describeConsent } from '../core/safety/consentName.ts';
import type { AgentKitOptions } from './agentKitTypes.ts';
import { createKinds } from './agents/kinds.ts';
import type { DoctorReport } from './doctor/examine.ts';
import {
  addConsent,
  listConsents,
  removeConsent,
  requireConsentName,
  type Consent,
} from './person/consents.ts';
import { trustRepository, type RepositoryTrust } from './person/repositoryTrust.ts';
import { requirePerson } from './person/requirePerson.ts';
import { distrustFolder, trustedNow, trustOfFolder, type TrustedNow } from './person/trustNow.ts';

export type { DoctorReport } from './doctor/examine.ts';
export type { DoctorFinding } from './doctor/finding.ts';
export type { Consent, RepositoryTrust, TrustedNow };

/** What holds on this machine for its person, whatever the repository. All methods reject with AgentKitError. */
export interface Machine {
  consents(): Promise<Consent[]>;
  /** What a consent would allow. @throws AgentKitError `invalid_input`, `refused` to an agent */
  consentToGive(name: string): string;
  /** Whoever calls has asked the person. @throws as `consentToGive` */
  giveConsent(name: string): Promise<void>;
  withdrawConsent(name: string): Promise<void>;
  /** Every repository whose commands may run, or might once. */
  trusted(): Promise<TrustedNow[]>;
  /** What the repository of a folder would run, and whether it may. */
  trustOf(folder: string): Promise<RepositoryTrust>;
  /** @throws AgentKitError `refused` to an agent */
  requirePersonFor(act: string): void;
  /** Allows exactly what was shown. Whoever calls has asked the person. @throws AgentKitError `refused` to an agent */
  trust(shown: RepositoryTrust): Promise<void>;
  distrust(folder: string): Promise<void>;
  /** Looks at everything that AgentKit stands on, and at the repository of a folder. Contacts no vendor. */
  doctor(folder: string): Promise<DoctorReport>;
}

export function createMachine(options: Pick<AgentKitOptions, 'node' | 'dist' | 'environment'>): Machine {
  const { environment } = options;
  const kinds = createKinds(options);
  const vendors = () => [...kinds.values()].filter(({ login }) => login !== null).map(({ id }) => id);
  return {
    consents: () => listConsents(environment),
    consentToGive: (name) => {
      requireConsentName(name, vendors());
      requirePerson(environment, 'give a consent');
      return describeConsent(name);
    },
    giveConsent: (name) => addConsent(environment, name, vendors()),
    withdrawConsent: (name) => removeConsent(environment, name),
    trusted: () => trustedNow(environment),
    trustOf: (folder) => trustOfFolder(folder, environment),
    requirePersonFor: (act) => requirePerson(environment, act),
    trust: (shown) => trustRepository(shown, environment),
    distrust: (folder) => distrustFolder(folder, environment),
    doctor: async (folder) => {
      const { examine } = await import('./doctor/examine.ts');
      const { node: nodeVersion } = process.versions;
      const machine = { kinds, environment, folder, nodeVersion, system: '/proc/sys' };
      return examine({ ...machine, userId: process.getuid?.() });
    },
  };
}

import * as z from 'zod';
import { AgentKitError } from '../../core/agentKitError.ts';
import { consentNameProblem } from '../../core/safety/consentName.ts';
import { changeDecisions, readDecisions } from './decisionFile.ts';
import { personFiles } from './personFiles.ts';
import { requirePerson } from './requirePerson.ts';

type Environment = Readonly<Record<string, string | undefined>>;

const consentSchema = z.object({ name: z.string(), given_at: z.string() });
const schema = z.object({ version: z.literal(1), consents: z.array(consentSchema) });

/** The person's standing word for something that otherwise needs them each time. */
export type Consent = z.output<typeof consentSchema>;

/** @throws AgentKitError `refused` for a file that others may write, `invalid_input` for a damaged one */
export async function listConsents(environment: Environment): Promise<Consent[]> {
  return (await readDecisions(personFiles(environment).consents, schema))?.consents ?? [];
}

/** @throws as `listConsents` */
export async function hasConsent(environment: Environment, name: string): Promise<boolean> {
  return (await listConsents(environment)).some((consent) => consent.name === name);
}

/**
 * Writes the word down; giving it again changes nothing. Whoever calls has asked the person.
 *
 * @param vendors Kinds whose accounts somebody logs in to.
 * @throws AgentKitError `invalid_input` for no known name, `refused` inside an agent's environment
 */
export async function addConsent(
  environment: Environment,
  name: string,
  vendors: readonly string[],
): Promise<void> {
  requireConsentName(name, vendors);
  requirePerson(environment, 'give a consent');
  await change(environment, (consents) =>
    consents.some((consent) => consent.name === name)
      ? consents
      : [...consents, { name, given_at: new Date().toISOString() }],
  );
}

/** @throws AgentKitError `invalid_input` for no known name */
export function requireConsentName(name: string, vendors: readonly string[]): void {
  const problem = consentNameProblem(name, vendors);
  if (problem !== undefined) throw new AgentKitError('invalid_input', problem);
}

/** Takes the word back, which anybody may. @throws AgentKitError `not_found` when it was not given */
export async function removeConsent(environment: Environment, name: string): Promise<void> {
  await change(environment, (consents) => {
    const rest = consents.filter((consent) => consent.name !== name);
    if (rest.length < consents.length) return rest;
    throw new AgentKitError('not_found', `There is no consent "${name}"; see: ak consent ls`);
  });
}

function change(environment: Environment, decide: (consents: Consent[]) => Consent[]): Promise<void> {
  const { consents: file, lock } = personFiles(environment);
  return changeDecisions({ file, lock, schema }, (decisions) => ({
    version: 1 as const,
    consents: decide(decisions?.consents ?? []),
  }));
}

/** Consent to start several writing agents at once from inside an agent's environment. */
export const parallelWriters = 'parallel-writers';

const continuePrefix = 'continue:';

/** Consent to go on, at a limit, under another account of a vendor. */
export function continueConsent(kind: string): string {
  return continuePrefix + kind;
}

/**
 * Why a name is no consent that can be given; undefined when it is one.
 *
 * @param vendors Kinds whose accounts somebody logs in to.
 */
export function consentNameProblem(name: string, vendors: readonly string[]): string | undefined {
  if (name === parallelWriters) return undefined;
  if (name.startsWith(continuePrefix) && vendors.includes(name.slice(continuePrefix.length)))
    return undefined;
  const names = [parallelWriters, ...vendors.map(continueConsent)];
  return `"${name}" is nothing to consent to; there are ${names.join(', ')}.`;
}

/** What a consent allows, for the person who is to give it. */
export function describeConsent(name: string): string {
  return name === parallelWriters
    ? 'a coding agent may start plans with more than one writing agent, by itself'
    : `at a limit, work goes on under another of your ${name.slice(continuePrefix.length)} accounts; they are yours to use so`;
}

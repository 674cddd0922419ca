import * as z from 'zod';

/** A limit of the account that an agent ran into, as the vendor's own signals tell it. */
export const limitSchema = z.object({
  /** Id of the window that is used up, where the vendor names one. */
  window: z.string().exactOptional(),
  /** RFC 3339 UTC. */
  resets_at: z.string().exactOptional(),
  /** The vendor says that it is the limit of one model. */
  one_model: z.literal(true).exactOptional(),
  /** `resets_at` is the later of what a clock time can mean that does not exist that day, or comes twice. */
  doubt: z.enum(['gap', 'double']).exactOptional(),
});

/** Why a vendor did not do what it was asked, other than a limit. */
export const refusalSchema = z.object({
  reason: z.enum(['not_logged_in', 'billing', 'model', 'throttled', 'network', 'trust']),
  /** The vendor's own words. */
  message: z.string(),
});

export type Limit = z.output<typeof limitSchema>;
export type Refusal = z.output<typeof refusalSchema>;
export type RefusalReason = Refusal['reason'];

/** Refusals that lie with the account alone, and whether with its whole login: each profile keeps a login of its own. */
export const refusesAccount: Partial<Record<RefusalReason, { login?: true }>> = {
  not_logged_in: {},
  billing: { login: true },
};

const refusals: Record<RefusalReason, string> = {
  not_logged_in: 'is not logged in',
  billing: 'cannot be used because of its billing or plan',
  model: 'has no access to the model',
  throttled: 'was slowed down by the vendor; this is not its usage limit',
  network: 'could not reach the vendor',
  trust: 'does not trust the folder that it was to work in',
};

const doubts = {
  gap: 'the vendor named a time over which clocks are put forward',
  double: 'the vendor named a time that comes twice, because clocks are put back',
};

/** What an agent was not permitted to do, for a person. */
export function describeDenied(tools: readonly string[]): string {
  return `it was not permitted to use ${tools.join(', ')}`;
}

/** What an account ran into, for a person. Only a limit is told where there are both: it explains the refusal. */
export function describeRefusal(
  account: string,
  { limit, refused }: { limit?: Limit | undefined; refused?: Refusal | undefined },
): string | undefined {
  if (limit) {
    const which = limit.window === undefined ? 'limit' : `${limit.window} limit`;
    const until =
      limit.resets_at === undefined ? 'when it resets is not known' : `resets at ${limit.resets_at}`;
    const doubt = limit.doubt === undefined ? '' : ` at the latest: ${doubts[limit.doubt]}`;
    return `the ${which} of ${account} is reached; ${until}${doubt}`;
  }
  return refused && `${account} ${refusals[refused.reason]}`;
}

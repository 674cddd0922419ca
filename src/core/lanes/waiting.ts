import * as z from 'zod';

/** What an agent waits for that only a person can give; nobody answers for them. */
export const waitingSchema = z.object({
  reason: z.enum(['permission', 'trust', 'login', 'question']),
  /** The vendor's own words. */
  message: z.string(),
  /** RFC 3339 UTC. */
  since: z.string(),
});

export type Waiting = z.output<typeof waitingSchema>;
export type WaitingReason = Waiting['reason'];

const asked: Record<WaitingReason, string> = {
  permission: 'its agent asks for a permission',
  trust: 'its agent asks whether the folder is trusted',
  login: 'its agent asks for a login',
  question: 'its agent asks a question',
};

/** What is waited for, as a line for a person. */
export function describeWaiting({ reason, message }: Pick<Waiting, 'reason' | 'message'>): string {
  return message === '' ? asked[reason] : `${asked[reason]}: ${message}`;
}

/** Whether what is waited for is still the same. */
export function isSameWaiting(one: Waiting | undefined, other: Waiting | undefined): boolean {
  return one?.reason === other?.reason && one?.message === other?.message && one?.since === other?.since;
}

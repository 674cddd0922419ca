import { describeRefusal, refusesAccount, type Refusal } from './refusal.ts';
import type { UsageEntry } from './usageEntry.ts';

/**
 * The entry of an account whose vendor refused a run of ours at a time: out of use, with the vendor's words, until it is
 * asked about anew. What was learnt since stands, and so it does at a refusal that does not lie with the account.
 */
export function afterRefusal(
  entry: UsageEntry,
  account: string,
  refused: Refusal | undefined,
  at: string,
): UsageEntry {
  if (refused === undefined || !(refused.reason in refusesAccount)) return entry;
  if (Date.parse(entry.asked_at) > Date.parse(at)) return entry;
  const reason = `${describeRefusal(account, { refused })}: ${refused.message}`;
  const status = refused.reason === 'not_logged_in' ? 'not_logged_in' : 'unknown';
  return { ...entry, status, reason, asked_at: at };
}

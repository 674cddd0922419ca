import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { DemoStep } from './demoScript.ts';

export type DemoLimit = Extract<DemoStep, { limit: unknown }>['limit'];

/**
 * When the limit that a prompt speaks of is over for an account, RFC 3339; undefined for another account, and once its
 * window has been reset since it was first reached. The name of an account is that of its folder.
 */
export function reachLimit(
  profile: string,
  { window, resets_in_s, accounts }: DemoLimit,
): string | undefined {
  if (accounts !== undefined && !accounts.includes(`@${basename(profile)}`)) return undefined;
  const fresh = new Date(Date.now() + resets_in_s * 1000).toISOString();
  // Without an account there is nothing to keep it in.
  if (profile === '') return fresh;
  const file = join(profile, `limit-${encodeURIComponent(window)}.txt`);
  if (!existsSync(file)) writeFileSync(file, fresh);
  const resetsAt = readFileSync(file, 'utf8');
  return Date.parse(resetsAt) > Date.now() ? resetsAt : undefined;
}

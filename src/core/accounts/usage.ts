import * as z from 'zod/mini';

/** A quota period of an account. Percentages run from 0 to 100, times are RFC 3339 UTC. */
export const usageWindowSchema = z.object({
  /** `5h`, `weekly`, or `weekly:<model>`. */
  id: z.string(),
  label: z.string(),
  /** Length of the period in seconds. */
  seconds: z.number(),
  /** Present on windows that count one model only. */
  model: z.exactOptional(z.string()),
  used_pct: z.number(),
  free_pct: z.number(),
  /** Null while the window has not started. */
  resets_at: z.nullable(z.string()),
});

export type UsageWindow = z.output<typeof usageWindowSchema>;

export type AccountStatus = 'ok' | 'rate_limited' | 'not_logged_in' | 'unknown';

/** One account with what was last read about it (usage-v1, design chapter 3). */
export interface AccountReading {
  kind: string;
  profile: string;
  status: AccountStatus;
  reason?: string;
  plan?: string;
  default?: boolean;
  /** When the windows were read; RFC 3339 UTC. */
  read_at: string;
  age_s: number;
  windows: UsageWindow[];
}

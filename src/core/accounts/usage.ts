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
  /** When this window was read, where that was not when the others of its account were. */
  read_at: z.exactOptional(z.string()),
});

export type UsageWindow = z.output<typeof usageWindowSchema>;

export type AccountStatus = 'ok' | 'rate_limited' | 'not_logged_in' | 'unknown';

/** A limit that a run of ours met and that no reading has contradicted since. */
export interface KnownLimit {
  /** Id of the window that is used up, where the vendor named one. */
  window?: string;
  /** When it ends; absent where nobody said so. */
  resets_at?: string;
  /** It is that of one model, by the vendor's word. */
  one_model?: true;
  /** The model that the run named which met it; absent where that left the choice to the CLI. */
  run_model?: string;
}

/** One account with what was last read about it (usage-v1, design chapter 3). */
export interface AccountReading {
  kind: string;
  profile: string;
  /** Salted hash of the vendor's name of the login; the same for two profiles of one login. */
  identity?: string;
  status: AccountStatus;
  reason?: string;
  plan?: string;
  default?: boolean;
  /** The person excluded it: it is neither asked about nor used. */
  excluded?: true;
  limits?: KnownLimit[];
  /** When it was last asked about, whether or not that worked; absent for an account that never was. */
  asked_at?: string;
  /** When the windows were read, the oldest of them; RFC 3339 UTC. Null for an account that was never read. */
  read_at: string | null;
  age_s: number | null;
  windows: UsageWindow[];
  /** Nobody on this machine ever asked about it. */
  unread?: true;
}

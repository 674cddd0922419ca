import { AgentKitError } from '../agentKitError.ts';
import { headroomOf } from './headroomOf.ts';
import { refuseAccount } from './refuseAccount.ts';
import type { AccountReading } from './usage.ts';

export interface CapacityLimits {
  /** Free share in percent from which on down an account is `low`; default 25. */
  low?: number | undefined;
  /** The same for `critical`; default 10. */
  critical?: number | undefined;
  /** Lets this model's own windows count too. */
  model?: string | undefined;
}

/** Whether an account has room for more work, by what is known of it. */
export interface Capacity {
  kind: string;
  profile: string;
  verdict: 'ok' | 'low' | 'critical' | 'unknown';
  /** The smallest free share, nothing kept in reserve; null where it is not known. */
  free_pct: number | null;
  binding_window: string | null;
  resets_at: string | null;
  reason?: string;
  read_at: string | null;
  age_s: number | null;
}

/** capacity-v1 (design chapter 3). */
export interface CapacityAnswer {
  generated_at: string;
  low_pct: number;
  critical_pct: number;
  accounts: Capacity[];
}

/**
 * Judges accounts by their last readings.
 * @throws AgentKitError `usage` for limits that are no percentages or the wrong way round
 */
export function judgeCapacity(
  readings: readonly AccountReading[],
  { low = 25, critical = 10, model }: CapacityLimits,
  now: string,
): CapacityAnswer {
  const fits = (pct: number) => pct >= 0 && pct <= 100;
  if (!fits(low) || !fits(critical) || critical > low) {
    throw new AgentKitError(
      'usage',
      `--low ${low} and --critical ${critical} must be percentages, and critical not above low`,
    );
  }
  const accounts = readings.map((reading): Capacity => {
    const { kind, profile, read_at, age_s } = reading;
    return { kind, profile, ...judge(reading, { low, critical, model }, now), read_at, age_s };
  });
  return { generated_at: now, low_pct: low, critical_pct: critical, accounts };
}

type Judged = Omit<Capacity, 'kind' | 'profile' | 'read_at' | 'age_s'>;

function judge(
  reading: AccountReading,
  {
    low,
    critical,
    model,
  }: Required<Omit<CapacityLimits, 'model'>> & { low: number; critical: number; model: string | undefined },
  now: string,
): Judged {
  const request = model === undefined ? {} : { model };
  const refusal = refuseAccount(reading, new Set(), request, now);
  if (refusal !== undefined) {
    const isLimit = reading.status === 'rate_limited' || reading.limits !== undefined;
    return {
      verdict: isLimit ? 'critical' : 'unknown',
      free_pct: isLimit ? 0 : null,
      binding_window: null,
      resets_at: refusal.resets_at ?? null,
      reason: refusal.reason,
    };
  }
  const headroom = headroomOf(reading, { ...request, reserve_pct: 0, now });
  if (!headroom.qualifies) {
    const { reason, resets_at } = headroom;
    const verdict = resets_at === undefined ? 'unknown' : 'critical';
    return {
      verdict,
      free_pct: verdict === 'unknown' ? null : 0,
      binding_window: null,
      resets_at: resets_at ?? null,
      reason,
    };
  }
  const { headroom_pct: free, binding_window, resets_at } = headroom;
  if (binding_window === null)
    return {
      verdict: 'unknown',
      free_pct: null,
      binding_window,
      resets_at,
      reason: 'it has no windows that could be read',
    };
  const verdict = free <= critical ? 'critical' : free <= low ? 'low' : 'ok';
  return { verdict, free_pct: free, binding_window, resets_at };
}

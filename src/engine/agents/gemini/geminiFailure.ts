import * as z from 'zod';
import type { RefusalReason } from '../../../core/accounts/refusal.ts';
import type { AgentSignal } from '../agentKind.ts';

/** The body of a refused request, as Google's interfaces have it. */
const bodySchema = z.object({
  error: z.object({
    code: z.number().optional(),
    message: z.string().optional(),
    details: z.array(z.object({ reason: z.string().optional() })).catch([]),
  }),
});

/** Gemini's own words about a quota of the day; the vendor's reset of it has no time in them. */
const dailyQuota = /^You have exhausted your daily quota on this model\b/;
const capacity = /^You have exhausted your capacity on this model\b/;
const reset = /\bquota will reset after ((?:\d{1,4}[hms]){1,3})\b/;

const byStatus: Partial<Record<number, RefusalReason>> = {
  401: 'not_logged_in',
  402: 'billing',
  404: 'model',
  429: 'throttled',
  503: 'throttled',
};

/**
 * What the error of a failed run's last record says about the account. `time` is when that was, RFC 3339. Gemini puts
 * the vendor's answer, or its own words for it, between brackets.
 */
export function describeGeminiFailure(message: string, time: string | undefined): AgentSignal[] {
  const [, told, more = ''] = /^\[API Error: ([^]*)\]([^]*)$/.exec(message) ?? [];
  if (told === undefined) {
    return [];
  }
  if (dailyQuota.test(told)) {
    return [{ type: 'limit', window: 'daily', one_model: true }];
  }
  if (capacity.test(told)) {
    const resets_at = timeAfter(time, secondsToReset(told));
    return [{ type: 'limit', one_model: true, ...(resets_at !== undefined && { resets_at }) }];
  }
  const reason = reasonOf(told, more);
  return reason === undefined ? [] : [{ type: 'refused', reason, message: wordsOf(told) }];
}

/** Seconds until a quota resets, where the vendor's words have them. */
export function secondsToReset(text: string): number | undefined {
  const [, duration] = reset.exec(text) ?? [];
  const units = { h: 3600, m: 60, s: 1 };
  return duration
    ?.match(/\d+[hms]/g)
    ?.reduce((total, part) => total + parseInt(part, 10) * units[part.slice(-1) as 'h' | 'm' | 's'], 0);
}

function reasonOf(told: string, more: string): RefusalReason | undefined {
  const { code, details } = readBody(told) ?? {};
  if (details?.some(({ reason }) => reason === 'API_KEY_INVALID')) {
    return 'not_logged_in';
  }
  if (code !== undefined) {
    return byStatus[code] ?? (code >= 500 ? 'network' : undefined);
  }
  // Gemini leaves the status out where it has a class of its own for it.
  if (/^models\/\S+ is not found\b/.test(told)) {
    return 'model';
  }
  if (/^\nPlease wait and try again later\b/.test(more)) {
    return 'throttled';
  }
  return /\b(fetch failed|ENOTFOUND|ECONN\w+|ETIMEDOUT)\b/.test(told) ? 'network' : undefined;
}

function wordsOf(told: string): string {
  return readBody(told)?.message ?? told;
}

function readBody(text: string): z.output<typeof bodySchema>['error'] | undefined {
  try {
    return bodySchema.safeParse(JSON.parse(text)).data?.error;
  } catch {
    return undefined;
  }
}

function timeAfter(time: string | undefined, seconds: number | undefined): string | undefined {
  const reset = new Date(Date.parse(time ?? '') + (seconds ?? NaN) * 1000);
  return Number.isNaN(reset.getTime()) ? undefined : reset.toISOString();
}

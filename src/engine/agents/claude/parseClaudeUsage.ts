import * as z from 'zod';
import type { UsageWindow } from '../../../core/accounts/usage.ts';
import { describeClaudeWindow, describeModelWindow, toTime, usedShare } from './claudeWindows.ts';

/** Percentages, unlike those of a run's stream. */
const windowSchema = z.object({ utilization: z.number(), resets_at: z.string().nullish() });

const scopedSchema = z.object({
  kind: z.literal('weekly_scoped'),
  percent: z.number(),
  resets_at: z.string().nullish(),
  scope: z.object({ model: z.object({ display_name: z.string() }) }),
});

const rateLimitsSchema = z.looseObject({ limits: z.array(z.unknown()).nullish().catch(undefined) });

const answerSchema = z.object({
  type: z.literal('control_response'),
  response: z.object({
    request_id: z.string(),
    subtype: z.string(),
    error: z.string().optional().catch(undefined),
    response: z
      .object({
        subscription_type: z.string().nullish().catch(undefined),
        rate_limits_available: z.boolean(),
        rate_limits: rateLimitsSchema.nullish(),
      })
      .optional()
      .catch(undefined),
  }),
});

/** What the CLI answered when it was asked for the quota of its account. */
export interface ClaudeUsage {
  /** Absent when the CLI refused to answer or its answer has another shape than we know. */
  limits?: {
    plan?: string;
    /** False when the login has no plan whose windows it may read. */
    available: boolean;
    /** Null when the CLI could not read them. */
    windows: UsageWindow[] | null;
    /** Whether the CLI may have answered from an older reading: only then the list of limits is missing. */
    maybeOld: boolean;
  };
  error?: string;
}

/** Reads one line of the answer to `get_usage`; undefined for lines that are not it. Never throws. */
export function parseClaudeUsage(line: string, requestId: string): ClaudeUsage | undefined {
  const { data } = answerSchema.safeParse(parseJson(line));
  if (data?.response.request_id !== requestId) {
    return undefined;
  }
  const { response: told, error } = data.response;
  if (!told) {
    return error === undefined ? {} : { error };
  }
  return {
    limits: {
      ...(typeof told.subscription_type === 'string' && { plan: told.subscription_type }),
      available: told.rate_limits_available,
      windows: told.rate_limits ? windowsOf(told.rate_limits) : null,
      maybeOld: !told.rate_limits?.limits,
    },
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Windows of a kind or shape that we do not know are passed over; the others stay. */
function windowsOf(told: z.output<typeof rateLimitsSchema>): UsageWindow[] {
  const named = Object.entries(told).flatMap(([name, value]) => {
    const known = describeClaudeWindow(name);
    const { data } = windowSchema.safeParse(value);
    return known && data ? [{ ...known, ...usedShare(data.utilization), resets_at: resetOf(data) }] : [];
  });
  const scoped = (told.limits ?? []).flatMap((value) => {
    const { data } = scopedSchema.safeParse(value);
    if (!data) {
      return [];
    }
    const known = describeModelWindow(data.scope.model.display_name);
    return [{ ...known, ...usedShare(data.percent), resets_at: resetOf(data) }];
  });
  const seen = new Set(scoped.map((window) => window.id));
  return [...named.filter((window) => !seen.has(window.id)), ...scoped];
}

function resetOf({ resets_at: time }: { resets_at?: string | null | undefined }): string | null {
  return toTime(Date.parse(time ?? '')) ?? null;
}

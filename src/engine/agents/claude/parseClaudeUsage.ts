import * as z from 'zod';
import type { UsageWindow } from '../../../core/accounts/usage.ts';
import { describeClaudeWindow, describeModelWindow, toTime, usedShare } from './claudeWindows.ts';

/** Percentages, unlike those of a run's stream. */
const windowSchema = z.object({ utilization: z.number(), resets_at: z.string().nullish() });

const emptySchema = z.object({ utilization: z.null() });

const scopedSchema = z.object({
  kind: z.literal('weekly_scoped'),
  percent: z.number(),
  resets_at: z.string().nullish(),
  scope: z.object({ model: z.object({ display_name: z.string() }) }),
});

/** One of a kind that we do not know, which counts everything. */
const newSchema = z.object({
  kind: z.string().check(z.refine((kind) => !['session', 'weekly_all', 'weekly_scoped'].includes(kind))),
  percent: z.number(),
  resets_at: z.string().nullish(),
  scope: z.null().optional(),
});

/** They count what is no agent's. */
const besides: readonly string[] = ['extra_usage', 'seven_day_oauth_apps'];

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
    /** The vendor's name of a window that counts, of which no numbers that we understand were told. */
    odd?: string;
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
  const odd = Object.entries(told.rate_limits ?? {}).find(([name, value]) => isOdd(name, value))?.[0];
  return {
    limits: {
      ...(odd !== undefined && { odd }),
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

/** Whether a window that counts everything tells less than it has to: to pass over it would call the account free. */
function isOdd(name: string, value: unknown): boolean {
  const known = describeClaudeWindow(name);
  if (known === undefined || known.model !== undefined || value === null) return false;
  if (emptySchema.safeParse(value).success) return false;
  const told = windowSchema.safeParse(value).data;
  if (told === undefined || told.utilization < 0) return true;
  return told.utilization === 0 && typeof told.resets_at === 'string' && resetOf(told) === null;
}

/**
 * Those that we know, and of the others those that are used up: they stop work whatever they count. Of what has
 * another shape nothing is told.
 */
function windowsOf(told: z.output<typeof rateLimitsSchema>): UsageWindow[] {
  const named = Object.entries(told).flatMap(([name, value]) => {
    const { data } = windowSchema.safeParse(value);
    const known = describeClaudeWindow(name) ?? (data && whenFull(name, data.utilization));
    return known && data ? [{ ...known, ...usedShare(data.utilization), resets_at: resetOf(data) }] : [];
  });
  const others = (told.limits ?? []).flatMap((value) => {
    const { data } = newSchema.safeParse(value);
    const full = data && whenFull(data.kind, data.percent);
    return full ? [{ ...full, ...usedShare(data.percent), resets_at: resetOf(data) }] : [];
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
  return [...named.filter((window) => !seen.has(window.id)), ...scoped, ...others];
}

/** A window of unknown length, where it is used up. */
function whenFull(name: string, used: number): Pick<UsageWindow, 'id' | 'label' | 'seconds'> | undefined {
  if (used < 100 || besides.includes(name)) return undefined;
  const label = name.replaceAll('_', ' ');
  // A colon would make it the window of a model.
  return { id: name.replaceAll(':', ' '), label, seconds: 0 };
}

function resetOf({ resets_at: time }: { resets_at?: string | null | undefined }): string | null {
  return toTime(Date.parse(time ?? '')) ?? null;
}

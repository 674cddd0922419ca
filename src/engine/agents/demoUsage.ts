import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { messageOf } from '../../core/agentKitError.ts';
import type { UsageWindow } from '../../core/accounts/usage.ts';
import type { Profile, UsageAnswer } from './agentKind.ts';

const windowSchema = z.strictObject({
  id: z.string().check(z.regex(/^(5h|weekly(:.+)?)$/, 'must be 5h, weekly or weekly:<model>')),
  used_pct: z.number().check(z.minimum(0), z.maximum(100)),
  /** Seconds from the time the file was saved. */
  resets_in_s: z.optional(z.number().check(z.nonnegative())),
  resets_at: z.optional(z.string().check(z.refine(isTime, 'must be a time like 2026-11-30T12:00:00Z'))),
});

const demoUsageSchema = z.strictObject({
  plan: z.optional(z.string()),
  status: z._default(z.enum(['ok', 'rate_limited', 'not_logged_in']), 'ok'),
  windows: z.array(windowSchema),
});

/**
 * Reads the quota of a demo account from `usage.json` in its profile's folder, which a person may edit. Never
 * rejects: a file that cannot be read makes the account unknown, with the reason.
 */
export async function readDemoUsage(profile: Profile): Promise<UsageAnswer> {
  const file = join(profile.folder ?? '', 'usage.json');
  try {
    const text = await readFile(file, 'utf8');
    const { mtimeMs } = await stat(file);
    const usage = await parseUsage(text, file);
    return {
      status: usage.status,
      ...(usage.status === 'not_logged_in' && { reason: `${file} says so` }),
      ...(usage.plan !== undefined && { plan: usage.plan }),
      windows: usage.windows.map((window) => toUsageWindow(window, mtimeMs, Date.now())),
    };
  } catch (error) {
    return { status: 'unknown', reason: messageOf(error), windows: [] };
  }
}

/** What is wrong is said by its line; only that takes the parser of YAML, which is slow to load. */
async function parseUsage(text: string, file: string): Promise<z.output<typeof demoUsageSchema>> {
  const usage = z.safeParse(demoUsageSchema, parseJson(text));
  if (usage.success) return usage.data;
  const { readYaml } = await import('./readYaml.ts');
  return readYaml(text, demoUsageSchema, file);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** RFC 3339 with a zone. */
function isTime(text: string): boolean {
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d.*(Z|[+-]\d\d:\d\d)$/.test(text) && !Number.isNaN(Date.parse(text));
}

/** A window whose reset is over has not started again: as with a vendor, nothing is used then. */
function toUsageWindow(window: z.output<typeof windowSchema>, savedMs: number, nowMs: number): UsageWindow {
  const resetsMs =
    window.resets_at !== undefined
      ? Date.parse(window.resets_at)
      : window.resets_in_s !== undefined
        ? savedMs + window.resets_in_s * 1000
        : null;
  const over = resetsMs !== null && resetsMs <= nowMs;
  const used = over ? 0 : window.used_pct;
  return {
    ...describe(window.id),
    used_pct: used,
    free_pct: 100 - used,
    resets_at: resetsMs === null || over ? null : new Date(resetsMs).toISOString(),
  };
}

function describe(id: string): Pick<UsageWindow, 'id' | 'label' | 'seconds' | 'model'> {
  if (id === '5h') {
    return { id, label: '5 hours', seconds: 18_000 };
  }
  const model = id.split(':')[1];
  const label = model ? `Week, ${model}` : 'Week';
  return { id, label, seconds: 604_800, ...(model && { model }) };
}

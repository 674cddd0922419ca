import * as z from 'zod';
import type { UsageWindow } from '../../../core/accounts/usage.ts';
import type { AgentSignal } from '../agentKind.ts';
import { toUsageWindow } from './codexWindows.ts';

const windowSchema = z
  .object({
    used_percent: z.number(),
    window_minutes: z.number().positive(),
    resets_at: z.number().nullish(),
  })
  .nullish()
  .catch(null);

const eventSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('task_started') }),
  z.object({
    type: z.literal('token_count'),
    rate_limits: z.object({ primary: windowSchema, secondary: windowSchema }).nullish().catch(null),
  }),
  z.object({
    type: z.literal('task_complete'),
    error: z.object({ message: z.string(), codex_error_info: z.unknown().optional() }).nullish().catch(null),
  }),
]);

const lineSchema = z.object({ type: z.literal('event_msg'), payload: eventSchema });

/**
 * Reads the lines of a thread's file and says how its last turn ended: limits with the window that is used up and the
 * time of its reset, refusals, and the windows. Earlier turns count for nothing; nor does what the agent said.
 */
export function parseCodexRollout(text: string): AgentSignal[] {
  let windows: UsageWindow[] = [];
  let error: { message: string; codex_error_info?: unknown } | null = null;
  for (const line of text.split('\n')) {
    const event = readEvent(line);
    if (event?.type === 'task_started') {
      windows = [];
      error = null;
    } else if (event?.type === 'token_count') {
      const read = [event.rate_limits?.primary, event.rate_limits?.secondary].flatMap((window) =>
        window
          ? toUsageWindow({
              usedPercent: window.used_percent,
              windowMinutes: window.window_minutes,
              resetsAt: window.resets_at ?? null,
            })
          : [],
      );
      windows = read.length > 0 ? read : windows;
    } else if (event?.type === 'task_complete') {
      error = event.error ?? null;
    }
  }
  const told: AgentSignal[] = windows.length > 0 ? [{ type: 'windows', windows }] : [];
  return error === null ? told : [...told, ...readError(error.message, error.codex_error_info, windows)];
}

function readError(message: string, info: unknown, windows: UsageWindow[]): AgentSignal[] {
  switch (codeOf(info)) {
    case 'usage_limit_exceeded':
      return [{ type: 'limit', ...usedUp(windows) }];
    case 'unauthorized':
    case '401':
      return [{ type: 'refused', reason: 'not_logged_in', message }];
    case 'server_overloaded':
    case 'rate_limit_exceeded':
    case '429':
      return [{ type: 'refused', reason: 'throttled', message }];
    case 'model_not_found':
      return [{ type: 'refused', reason: 'model', message }];
    default:
      return [];
  }
}

const httpSchema = z.record(z.string(), z.object({ http_status_code: z.number() }));

/** A code by name, or the status of the request that failed. */
function codeOf(info: unknown): string | undefined {
  if (typeof info === 'string') {
    return info;
  }
  const status = Object.values(httpSchema.safeParse(info).data ?? {})[0]?.http_status_code;
  return status === undefined ? undefined : String(status);
}

/** Of several that are used up, the account waits for the one that resets last. */
function usedUp(windows: UsageWindow[]): { window?: string; resets_at?: string } {
  const time = (window: UsageWindow) => Date.parse(window.resets_at ?? '') || 0;
  const [last] = windows
    .filter((window) => window.used_pct >= 100)
    .toSorted((one, other) => time(other) - time(one));
  if (!last) {
    return {};
  }
  return { window: last.id, ...(last.resets_at !== null && { resets_at: last.resets_at }) };
}

function readEvent(line: string): z.output<typeof eventSchema> | null {
  // Most of a thread's file is long records of other types; they are not worth parsing.
  if (!line.includes('"event_msg"')) {
    return null;
  }
  try {
    return lineSchema.safeParse(JSON.parse(line)).data?.payload ?? null;
  } catch {
    return null;
  }
}

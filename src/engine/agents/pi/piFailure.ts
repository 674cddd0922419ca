import * as z from 'zod';
import type { RefusalReason } from '../../../core/accounts/refusal.ts';
import type { AgentSignal } from '../agentKind.ts';

/** What vendors put into the body of a refused request. */
const bodySchema = z.object({
  error: z.object({ type: z.string().optional(), message: z.string().optional() }),
});

/** Pi's own text about a ChatGPT plan; the minutes are rounded. */
const chatGptLimit = /^You have hit your ChatGPT usage limit\b(?:.*\bTry again in ~(\d{1,6}) min)?/;

/**
 * What the error message of an answer says about the account: the status of the vendor's response and its body.
 * A vendor's 429 says "too many requests" for a plan that is used up, too; without a reset it is no limit to us.
 * `timestamp` is when the answer began, in epoch milliseconds.
 */
export function describePiFailure(message: string, timestamp: number | undefined): AgentSignal[] {
  const limit = chatGptLimit.exec(message);
  if (limit) {
    const resets = limit[1] === undefined ? undefined : timeAfter(timestamp, Number(limit[1]));
    return [{ type: 'limit', ...(resets !== undefined && { resets_at: resets }) }];
  }
  const reason = reasonOf(message);
  return reason === undefined ? [] : [{ type: 'refused', reason, message }];
}

function reasonOf(message: string): RefusalReason | undefined {
  const [, status = '', body = ''] = /^(\d{3}) (.*)$/s.exec(message) ?? [];
  const told = readBody(body);
  if (/^Your credit balance is too low\b/.test(told?.message ?? '') || told?.type === 'billing_error') {
    return 'billing';
  }
  if (status === '401' || told?.type === 'authentication_error') {
    return 'not_logged_in';
  }
  if (status === '402') {
    return 'billing';
  }
  if (status === '404') {
    return 'model';
  }
  if (status === '429' || status === '529') {
    return 'throttled';
  }
  return /^5/.test(status) || /^(Connection error|fetch failed|getaddrinfo |connect E)/.test(message)
    ? 'network'
    : undefined;
}

function readBody(text: string): z.output<typeof bodySchema>['error'] | undefined {
  try {
    return bodySchema.safeParse(JSON.parse(text)).data?.error;
  } catch {
    return undefined;
  }
}

function timeAfter(timestamp: number | undefined, minutes: number): string | undefined {
  const time = new Date((timestamp ?? NaN) + minutes * 60_000);
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString();
}

/** What Pi tells before it has begun, on the error stream and by nothing else; it ends with exit code 1 then. */
const beforeTheStart: readonly [RegExp, RefusalReason][] = [
  [/^No API key found for \S/, 'not_logged_in'],
  [/^Error: Model "[^"]*" not found\./, 'model'],
];

/** Reads one line of Pi's error stream. */
export function parsePiErrorLine(line: string): AgentSignal[] {
  const reason = beforeTheStart.find(([pattern]) => pattern.test(line))?.[1];
  return reason === undefined ? [] : [{ type: 'refused', reason, message: line }];
}

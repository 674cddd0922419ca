import * as z from 'zod';
import type { RefusalReason } from '../../../core/accounts/refusal.ts';
import type { AgentSignal } from '../agentKind.ts';

/** The error that ends a run. */
export const opencodeErrorSchema = z.object({
  name: z.string(),
  data: z
    .object({
      message: z.string().catch(''),
      statusCode: z.number().optional().catch(undefined),
      responseHeaders: z.record(z.string(), z.string()).catch({}),
      responseBody: z.string().catch(''),
    })
    .catch({ message: '', statusCode: undefined, responseHeaders: {}, responseBody: '' }),
});

export type OpencodeError = z.output<typeof opencodeErrorSchema>;

/** What vendors put into the body of a refused request. */
const bodySchema = z.object({
  error: z.object({
    type: z.string().optional().catch(undefined),
    message: z.string().optional().catch(undefined),
    /** Epoch in seconds. */
    resets_at: z.number().optional().catch(undefined),
  }),
});

const byStatus: Partial<Record<number, RefusalReason>> = {
  401: 'not_logged_in',
  402: 'billing',
  404: 'model',
  429: 'throttled',
  503: 'throttled',
  529: 'throttled',
};

const anthropicWindows: Partial<Record<string, string>> = { five_hour: '5h', seven_day: 'weekly' };

/** What the error of a run says about the account, from the vendor's own answer. */
export function describeOpencodeFailure({ name, data }: OpencodeError): AgentSignal[] {
  const limit = readLimit(data);
  if (limit) {
    return [limit];
  }
  const reason = name === 'ProviderAuthError' ? 'not_logged_in' : reasonOf(data);
  return reason === undefined ? [] : [{ type: 'refused', reason, message: data.message }];
}

function readLimit({ statusCode, responseHeaders, responseBody }: OpencodeError['data']): AgentSignal | null {
  if (statusCode !== 429) {
    return null;
  }
  const told = readBody(responseBody);
  if (told?.type === 'usage_limit_reached') {
    return { type: 'limit', ...resetAt(told.resets_at) };
  }
  const header = (field: string) => responseHeaders[`anthropic-ratelimit-unified-${field}`];
  if (header('status') !== 'rejected') {
    return null;
  }
  const window = anthropicWindows[header('representative-claim') ?? ''];
  return { type: 'limit', ...(window !== undefined && { window }), ...resetAt(Number(header('reset'))) };
}

function reasonOf({ statusCode, responseBody, message }: OpencodeError['data']): RefusalReason | undefined {
  const told = readBody(responseBody);
  if (/^Your credit balance is too low\b/.test(told?.message ?? message) || told?.type === 'billing_error') {
    return 'billing';
  }
  return statusCode === undefined
    ? undefined
    : (byStatus[statusCode] ?? (statusCode >= 500 ? 'network' : undefined));
}

function resetAt(seconds: number | undefined): { resets_at?: string } {
  const time = new Date((seconds || NaN) * 1000);
  return Number.isNaN(time.getTime()) ? {} : { resets_at: time.toISOString() };
}

function readBody(text: string): z.output<typeof bodySchema>['error'] | undefined {
  try {
    return bodySchema.safeParse(JSON.parse(text)).data?.error;
  } catch {
    return undefined;
  }
}

import * as z from 'zod';
import type { UsageWindow } from '../../../core/accounts/usage.ts';
import type { UsageAnswer } from '../agentKind.ts';
import { toUsageWindow } from './codexWindows.ts';

const windowSchema = z
  .object({
    usedPercent: z.number(),
    windowDurationMins: z.number().positive(),
    resetsAt: z.number().nullish(),
  })
  .nullish()
  .catch(null);

const limitsSchema = z.object({
  limitId: z.string().nullish(),
  limitName: z.string().nullish(),
  normalModelSlug: z.string().nullish(),
  primary: windowSchema,
  secondary: windowSchema,
  planType: z.string().nullish(),
  rateLimitReachedType: z.string().nullish(),
});

const answerSchema = z.object({
  ordinaryUsageAllowed: z.boolean().nullish(),
  rateLimits: limitsSchema,
  rateLimitsByLimitId: z.record(z.string(), limitsSchema).nullish().catch(null),
});

type Limits = z.output<typeof limitsSchema>;

/** Reads the answer to `account/rateLimits/read`. What it does not say is unknown, never free. */
export function readCodexLimits(result: unknown): UsageAnswer {
  const answer = answerSchema.safeParse(result).data;
  if (!answer) {
    return unknown('Codex gave its limits in a form that is not known here');
  }
  const main = windowsOf(answer.rateLimits);
  const others = Object.entries(answer.rateLimitsByLimitId ?? {})
    .filter(([id]) => id !== (answer.rateLimits.limitId ?? 'codex'))
    .flatMap(([id, limits]) => windowsOf(limits, limits.normalModelSlug ?? limits.limitName ?? id));
  const plan = answer.rateLimits.planType ?? undefined;
  const common = { ...(plan !== undefined && { plan }), windows: [...main, ...others] };
  if (isLimited(answer, main)) {
    return { status: 'rate_limited', reason: 'Codex says that its limit is reached', ...common };
  }
  return main.length > 0
    ? { status: 'ok', ...common }
    : { status: 'unknown', reason: 'Codex named no limits of this account', ...common };
}

/** Why Codex gave no limits; `login` is the command that logs in. */
export function readCodexRefusal(message: string, login: string): UsageAnswer {
  if (/^codex account authentication required/.test(message)) {
    return { status: 'not_logged_in', reason: `Not logged in; log in with: ${login}`, windows: [] };
  }
  if (/^chatgpt authentication required/.test(message)) {
    return unknown('It works with an API key, for which OpenAI tells no quota');
  }
  if (/ failed: 401 |log out and sign in again/.test(message)) {
    return unknown(`Its login is no longer accepted; log in again with: ${login}`);
  }
  if (/ failed: 429 /.test(message)) {
    return unknown('OpenAI answered too many requests for the quota (429)');
  }
  if (/error sending request/.test(message)) {
    return unknown('OpenAI cannot be reached');
  }
  const status = / failed: (\d{3})\b/.exec(message)?.[1];
  return unknown(status ? `OpenAI answered ${status} for the quota` : firstWords(message));
}

/** The vendor's verdict comes first: percentages do not tell of credits, nor of limits that it lifted. */
function isLimited(answer: z.output<typeof answerSchema>, main: UsageWindow[]): boolean {
  if (typeof answer.ordinaryUsageAllowed === 'boolean') {
    return !answer.ordinaryUsageAllowed;
  }
  const reached = typeof answer.rateLimits.rateLimitReachedType === 'string';
  return reached || main.some((window) => window.used_pct >= 100);
}

function windowsOf(limits: Limits, model?: string): UsageWindow[] {
  return [limits.primary, limits.secondary].flatMap((window) =>
    window
      ? toUsageWindow(
          {
            usedPercent: window.usedPercent,
            windowMinutes: window.windowDurationMins,
            resetsAt: window.resetsAt ?? null,
          },
          model,
        )
      : [],
  );
}

function unknown(reason: string): UsageAnswer {
  return { status: 'unknown', reason, windows: [] };
}

/** Without what a server sent: that may be anything. */
function firstWords(message: string): string {
  return `Codex could not read its limits: ${message.split(/[;\n]/, 1)[0]?.slice(0, 200) ?? ''}`;
}

import type { UsageWindow } from '../../../core/accounts/usage.ts';
import type { AgentSignal } from '../agentKind.ts';
import type { RateLimitInfo } from './claudeRecords.ts';
import { describeClaudeWindow, toTime, usedShare } from './claudeWindows.ts';

const throttled = 'The vendor is limiting requests for a while; this is not the usage limit of the account';

/**
 * What a `rate_limit_event` says. Stable over versions: a plan's limit is a rejection with its type and reset; one
 * without them is a throttle; a rejection that is paid for beside the plan stops nothing.
 */
export function readRateLimit(info: RateLimitInfo): AgentSignal[] {
  const windows = windowsOf(info);
  const signals: AgentSignal[] = windows.length > 0 ? [{ type: 'windows', windows }] : [];
  if (info.status !== 'rejected' || info.isUsingOverage === true) {
    return signals;
  }
  if (info.rateLimitType === undefined || info.resetsAt === undefined) {
    return [...signals, { type: 'refused', reason: 'throttled', message: throttled }];
  }
  const resets = toTime(info.resetsAt * 1000);
  return [
    ...signals,
    {
      type: 'limit',
      ...limitedWindow(info),
      ...(resets !== undefined && { resets_at: resets }),
    },
  ];
}

/** The window that is used up, where we know it. */
export function limitedWindow(info: RateLimitInfo | undefined): { window?: string } {
  const window = describeClaudeWindow(info?.rateLimitType ?? '')?.id;
  return window === undefined ? {} : { window };
}

function windowsOf(info: RateLimitInfo): UsageWindow[] {
  return Object.entries(info.unifiedWindows ?? {}).flatMap(([name, window]) => {
    const known = describeClaudeWindow(name);
    if (!known || !window || window.utilization < 0) {
      return [];
    }
    const resets = toTime((window.resetsAt ?? NaN) * 1000) ?? null;
    return [{ ...known, ...usedShare(window.utilization * 100), resets_at: resets }];
  });
}

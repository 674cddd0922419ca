import type { UsageAnswer } from '../agentKind.ts';
import type { LoginStatus } from './readLoginStatus.ts';

interface Circumstances {
  /** What `auth status` says; undefined where it says nothing that we know. */
  status: LoginStatus | undefined;
  /** Whether this machine has any network beside itself. */
  online: boolean;
  nowMs: number;
  /** The command with which the person logs in. */
  login: string;
}

/**
 * Why the CLI told no numbers, which it does not say itself: no network, a login that is gone or over, or else a vendor
 * that did not answer it. Each has a cure of its own.
 */
export function whyNoWindows({ status, online, nowMs, login }: Circumstances): UsageAnswer {
  const unread = 'Claude Code could not read the quota';
  if (status?.loggedIn === false)
    return { status: 'not_logged_in', reason: `log in with: ${login}`, windows: [] };
  if (Date.parse(status?.loginExpiresAt ?? '') <= nowMs) {
    const reason = `${unread}: its login has expired; log in with: ${login}`;
    return { status: 'not_logged_in', reason, windows: [] };
  }
  const why = online
    ? 'the vendor had been asked too often (429), or could not be reached; its login is in order by what this machine knows'
    : 'this machine has no network';
  return { status: 'unknown', reason: `${unread}: ${why}`, windows: [] };
}

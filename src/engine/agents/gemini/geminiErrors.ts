import { stripVTControlCharacters } from 'node:util';
import type { AgentSignal } from '../agentKind.ts';
import { secondsToReset } from './geminiFailure.ts';

/** Gemini calls a delay of more than this no retry any more, and yet it sleeps. */
const longRetryMs = 300_000;

/** No quota takes longer to reset, so what tells of a longer delay is not Gemini. */
const longestMs = 8 * 86_400_000;

/** Gemini's own words for a retry; what the vendor said stands within them and can have some lines of its own. */
const failedAttempt = /^Attempt \d{1,3} failed: ./;
const retryDelay = /\. Retrying after (\d{1,10})ms\.\.\.$/;
const longestMessage = 8192;

/** How long it may sleep, in seconds, where no time of the vendor explains that. */
const patienceS = 300;

/** What Gemini says when it has no login that it could use, and ends with 41. */
const noLogin =
  /^(Please set an Auth method in your |When using (Gemini API|Vertex AI), you must specify |Manual authorization is required\b|Invalid auth method selected\b)/;

/**
 * Reads what Gemini tells on the error stream alone: that it does not start, and that it waits before it tries again.
 * What its tools and servers say comes on the same stream, so only Gemini's own words count, and whole.
 */
export function openGeminiErrors(): (line: string) => AgentSignal[] {
  let begun: string | undefined;
  return (line) => {
    const text = stripVTControlCharacters(line).trim();
    const message = failedAttempt.test(text) ? text : begun === undefined ? undefined : `${begun}\n${text}`;
    begun = undefined;
    if (message !== undefined) {
      const [, delay] = retryDelay.exec(message) ?? [];
      if (delay !== undefined) return [readDelay(message, Number(delay))];
      if (message.length <= longestMessage) begun = message;
    }
    return readLine(text);
  };
}

function readLine(text: string): AgentSignal[] {
  if (/^Gemini CLI is not running in a trusted directory\b/.test(text)) {
    return [
      { type: 'refused', reason: 'trust', message: 'Gemini CLI is not running in a trusted directory' },
    ];
  }
  if (noLogin.test(text)) {
    return [{ type: 'refused', reason: 'not_logged_in', message: text }];
  }
  const [, status] =
    /^Attempt \d{1,3} failed with status (\d{3})\. Retrying with backoff\.\.\./.exec(text) ?? [];
  if (status === undefined) {
    return [];
  }
  const reason = status === '429' || status === '503' ? 'throttled' : 'network';
  return [{ type: 'refused', reason, message: text.slice(0, 500) }];
}

/** A long delay is a limit where the vendor's own time explains it. */
function readDelay(message: string, ms: number): AgentSignal {
  const told = secondsTold(message);
  const sleeps = ms > longRetryMs && ms <= longestMs;
  if (sleeps && told !== undefined && explains(told * 1000, ms)) {
    return { type: 'limit', resets_in_s: Math.ceil(told), hangs: true };
  }
  return {
    type: 'refused',
    reason: 'throttled',
    message: message.slice(0, 500),
    ...(sleeps && { hangs: { after_s: patienceS, silent: true } as const }),
  };
}

/** Gemini adds up to a fifth to what the vendor told. */
function explains(toldMs: number, ms: number): boolean {
  const slackMs = 60_000;
  return ms >= toldMs - slackMs && ms <= toldMs * 1.2 + slackMs;
}

function secondsTold(message: string): number | undefined {
  const [, seconds] =
    /\b(?:Suggested retry after|Please retry in) (\d{1,8}(?:\.\d{1,12})?)s\b/.exec(message) ?? [];
  return secondsToReset(message) ?? (seconds === undefined ? undefined : Number(seconds));
}

import { stripVTControlCharacters } from 'node:util';
import type { AgentSignal } from '../agentKind.ts';
import { secondsToReset } from './geminiFailure.ts';

/** Gemini calls a delay of more than this no retry any more, and yet it sleeps. */
const longRetryMs = 300_000;

/** No quota takes longer to reset. A tool's words on this stream can look like Gemini's; they keep no account for longer. */
const longestMs = 8 * 86_400_000;

/** What Gemini says when it has no login that it could use, and ends with 41. */
const noLogin =
  /^(Please set an Auth method in your |When using (Gemini API|Vertex AI), you must specify |Manual authorization is required\b|Invalid auth method selected\b)/;

/** Reads what Gemini tells on the error stream alone: that it does not start, and that it waits before it tries again. */
export function parseGeminiErrorLine(line: string): AgentSignal[] {
  const text = stripVTControlCharacters(line).trim();
  if (/^Gemini CLI is not running in a trusted directory\b/.test(text)) {
    return [{ type: 'waiting', reason: 'trust', message: 'Gemini CLI does not trust this folder' }];
  }
  if (noLogin.test(text)) {
    return [{ type: 'refused', reason: 'not_logged_in', message: text }];
  }
  return readRetry(text);
}

function readRetry(text: string): AgentSignal[] {
  const [, status] = /^Attempt \d{1,3} failed with status (\d{3})\. Retrying\b/.exec(text) ?? [];
  if (status !== undefined) {
    const reason = status === '429' || status === '503' ? 'throttled' : 'network';
    return [{ type: 'refused', reason, message: text.slice(0, 500) }];
  }
  // The vendor's words before it can have a line end in them.
  const [, delay] = /\bRetrying after (\d{1,10})ms\.\.\.$/.exec(text) ?? [];
  if (delay === undefined) {
    return [];
  }
  const ms = Number(delay);
  if (ms <= longRetryMs || ms > longestMs) {
    return [{ type: 'refused', reason: 'throttled', message: text }];
  }
  // Gemini adds up to a fifth to what the vendor told.
  const [, told] = /\bSuggested retry after (\d{1,8})s\b/.exec(text) ?? [];
  const resets_in_s = secondsToReset(text) ?? Number(told ?? ms / 1000);
  return [{ type: 'limit', resets_in_s: Math.min(Math.ceil(resets_in_s), longestMs / 1000), hangs: true }];
}

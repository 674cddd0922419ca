import { redact } from '../safety/redact.ts';
import type { RunEventBody } from './runEvent.ts';

/** Keys of events under which words of other programs can stand: hooks, git, checks, agents. */
const wordy: ReadonlySet<string> = new Set(['message', 'refused', 'reasons', 'warnings']);

/** The event with every message in it redacted; names, paths and commits stay as they are. */
export function redactEvent(event: RunEventBody, secrets: readonly string[]): RunEventBody {
  return redactWords(event, false, secrets) as RunEventBody;
}

function redactWords(value: unknown, isWords: boolean, secrets: readonly string[]): unknown {
  if (typeof value === 'string') return isWords ? redact(value, secrets) : value;
  if (Array.isArray(value)) return value.map((each) => redactWords(each, isWords, secrets));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [key, redactWords(each, wordy.has(key), secrets)]),
  );
}

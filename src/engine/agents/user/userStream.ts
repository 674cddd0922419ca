import type { AgentSignal } from '../agentKind.ts';
import { progress } from '../progress.ts';
import type { UserKindDefinition } from './userKindSchema.ts';

/** More of a printed answer is not kept; what is shown of a result is less. */
const longestAnswer = 256 * 1024;

/** Reads the stream of one run as its kind is described. */
export function openUserStream({
  result,
  session,
}: Pick<UserKindDefinition, 'result' | 'session'>): (line: string) => AgentSignal[] {
  return result === 'text'
    ? openText()
    : (line) => readJsonLine(line, result.slice('jsonl:'.length), session);
}

/** All lines together are the answer. */
function openText(): (line: string) => AgentSignal[] {
  let answer = '';
  let full = false;
  return (line) => {
    const shown: AgentSignal[] = line.trim() === '' ? [] : [progress('text', line)];
    if (full) return shown;
    answer = answer === '' ? line : `${answer}\n${line}`;
    full = answer.length > longestAnswer;
    return answer.trim() === '' ? shown : [...shown, { type: 'result', ok: true, text: answer }];
  };
}

function readJsonLine(line: string, path: string, session: string | undefined): AgentSignal[] {
  const record = readJson(line);
  if (record === undefined) {
    return line.trim() === '' ? [] : [progress('output', line)];
  }
  const id = session === undefined ? undefined : textAt(record, session);
  const answer = textAt(record, path);
  const told: AgentSignal[] = id === undefined ? [] : [{ type: 'session', id }];
  return answer === undefined
    ? told.length > 0
      ? told
      : [progress('output', line)]
    : [...told, progress('text', answer), { type: 'result', ok: true, text: answer }];
}

/** The text at a path like `$.items[0].text`; undefined where there is none. */
function textAt(record: unknown, path: string): string | undefined {
  let value: unknown = record;
  for (const [, key, index] of path.matchAll(/\.([\w-]+)|\[(\d+)\]/g)) {
    const step = key ?? Number(index);
    if (value === null || typeof value !== 'object' || !Object.hasOwn(value, step)) return undefined;
    value = (value as Record<PropertyKey, unknown>)[step];
  }
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function readJson(line: string): object | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return value !== null && typeof value === 'object' ? value : undefined;
  } catch {
    return undefined;
  }
}

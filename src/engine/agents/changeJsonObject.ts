import { mkdir, readFile, rmdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { AgentKitError, messageOf } from '../../core/agentKitError.ts';
import { writeText } from '../store/atomicFile.ts';

export type JsonObject = Record<string, unknown>;

/** How long to wait for a CLI that writes the file itself, and after how long its lock counts as left behind. */
const patienceMs = 5_000;
const staleMs = 10_000;
const lookMs = 50;

/**
 * Changes a file of a vendor's that holds one JSON object, under the lock that its CLI takes for it (a folder
 * `<file>.lock`). Everything that `change` does not touch stays as it is, the mode and numbers beyond JavaScript's
 * too; a file that is not there is made. `change` returns undefined when nothing is to be changed.
 * @throws AgentKitError `invalid_input` for a damaged file, `conflict` while a CLI holds it; then nothing has changed
 */
export async function changeJsonObject(
  file: string,
  change: (content: JsonObject) => JsonObject | undefined,
): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const lock = `${file}.lock`;
  await takeLock(lock, file);
  try {
    const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return null;
      throw error;
    });
    const changed = change(text === null ? {} : parseObject(text, file));
    if (changed === undefined) return;
    const mode = text === null ? 0o600 : (await stat(file)).mode & 0o777;
    const written = JSON.stringify(changed, undefined, text === null ? 2 : indentOf(text));
    await writeText(file, `${written}${text === null || text.endsWith('\n') ? '\n' : ''}`, { mode });
  } finally {
    await rmdir(lock).catch(() => undefined);
  }
}

/** A value of the object that must be an object itself. @throws AgentKitError `invalid_input` */
export function objectAt(content: JsonObject, key: string, file: string): JsonObject {
  const value = Object.hasOwn(content, key) ? content[key] : {};
  if (isObject(value)) return value;
  throw damaged(file, `${JSON.stringify(key)} in it is no object`);
}

async function takeLock(lock: string, file: string): Promise<void> {
  const deadline = performance.now() + patienceMs;
  for (;;) {
    try {
      return await mkdir(lock);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    const touched = await stat(lock).then(
      ({ mtimeMs }) => mtimeMs,
      () => Date.now(),
    );
    if (Date.now() - touched > staleMs) await rmdir(lock).catch(() => undefined);
    else if (performance.now() > deadline)
      throw new AgentKitError('conflict', `${file} is in use (${lock} is there); try again in a moment`);
    else await wait(lookMs);
  }
}

interface ExactJson {
  parse(
    text: string,
    revive: (key: string, value: unknown, context: { source?: string }) => unknown,
  ): unknown;
  rawJSON(text: string): unknown;
}

/** Node's own; TypeScript does not know it yet. */
const json = JSON as unknown as ExactJson;

function parseObject(text: string, file: string): JsonObject {
  let value: unknown;
  try {
    value = json.parse(text, (_key, each, { source }) =>
      typeof each === 'number' && source !== undefined && String(each) !== source
        ? json.rawJSON(source)
        : each,
    );
  } catch (error) {
    throw damaged(file, messageOf(error));
  }
  if (isObject(value)) return value;
  throw damaged(file, 'it holds no object');
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function damaged(file: string, why: string): AgentKitError {
  return new AgentKitError(
    'invalid_input',
    `${file} is damaged: ${why}. Mend it, or open its CLI once and answer there`,
  );
}

function indentOf(text: string): string | undefined {
  return /^\{\r?\n([ \t]+)"/.exec(text)?.[1];
}

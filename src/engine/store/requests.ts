import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { requestSchema, type Request } from '../../core/run/request.ts';
import { writeJson } from './atomicFile.ts';
import { requestsFolder } from './runFolder.ts';

/** Puts a request where the owner of the run finds it. */
export async function writeRequest(runFolder: string, request: Request): Promise<void> {
  await writeJson(join(requestsFolder(runFolder), `${request.id}.json`), request, { mode: 0o600 });
}

/** Takes a request back that the owner of the run may not have seen yet. */
export async function withdrawRequest(runFolder: string, id: string): Promise<void> {
  await rm(join(requestsFolder(runFolder), `${id}.json`), { force: true });
}

/** Requests that the journal has not answered, oldest first; answered and broken files are taken away. */
export async function readRequests(
  runFolder: string,
  answered: Readonly<Record<string, unknown>>,
): Promise<Request[]> {
  const folder = requestsFolder(runFolder);
  const names = (await readdir(folder)).filter((name) => name.endsWith('.json')).sort();
  const requests = await Promise.all(names.map((name) => readRequest(join(folder, name), answered)));
  return requests.flatMap((request) => request ?? []);
}

async function readRequest(
  file: string,
  answered: Readonly<Record<string, unknown>>,
): Promise<Request | undefined> {
  const text = await readFile(file, 'utf8').catch(() => undefined);
  const request = requestSchema.safeParse(text === undefined ? undefined : parseJson(text));
  if (request.success && !(request.data.id in answered)) return request.data;
  await rm(file, { force: true });
  return undefined;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

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

type Answered = Readonly<Record<string, unknown>>;

/** Requests that the journal has not answered, oldest first. Changes nothing: only the owner knows what it can take. */
export async function readRequests(runFolder: string, answered: Answered): Promise<Request[]> {
  const found = await readAll(runFolder);
  return found.flatMap(({ request }) => (isOpen(request, answered) ? [request] : []));
}

/** The same for the run's owner, which takes answered and broken files away. */
export async function takeRequests(runFolder: string, answered: Answered): Promise<Request[]> {
  const found = await readAll(runFolder);
  const over = found.filter(({ request }) => !isOpen(request, answered));
  await Promise.all(over.map(({ file }) => rm(file, { force: true })));
  return found.flatMap(({ request }) => (isOpen(request, answered) ? [request] : []));
}

function isOpen(request: Request | undefined, answered: Answered): request is Request {
  return request !== undefined && !(request.id in answered);
}

async function readAll(runFolder: string): Promise<{ file: string; request: Request | undefined }[]> {
  const folder = requestsFolder(runFolder);
  const names = (await readdir(folder)).filter((name) => name.endsWith('.json')).sort();
  return Promise.all(
    names.map(async (name) => {
      const file = join(folder, name);
      const text = await readFile(file, 'utf8').catch(() => undefined);
      const request = requestSchema.safeParse(text === undefined ? undefined : parseJson(text));
      return { file, request: request.data };
    }),
  );
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

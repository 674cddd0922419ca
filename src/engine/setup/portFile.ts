import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import * as z from 'zod';
import { AgentKitError } from '../../core/agentKitError.ts';
import { readJsonIfThere, writeJson } from '../store/atomicFile.ts';
import { withLock } from '../store/lock.ts';
import { stateFiles } from '../store/paths.ts';

const reservedSchema = z.object({
  port: z.number(),
  /** Variable that holds it. */
  name: z.string(),
  /** The lane that has it. */
  owner: z.string(),
  /** The common git folder of the lane's repository: once that is gone, so is the lane. */
  repository: z.string().exactOptional(),
  /** It is given to a lane that finds no other. */
  yields: z.literal(true).exactOptional(),
});

export type ReservedPort = z.output<typeof reservedSchema>;

const fileSchema = z.object({ version: z.literal(1), ports: z.array(reservedSchema) });
/** Longer than it takes to try the whole of a wide range. */
const lockMs = 30_000;

/** The ports of this machine that lanes have. @throws AgentKitError `invalid_input` for a damaged file */
export async function readPorts(stateFolder: string): Promise<ReservedPort[]> {
  return (await readJsonIfThere(stateFiles(stateFolder).ports, fileSchema).catch(withCure))?.ports ?? [];
}

/** Changes them while nobody else does. @throws as `readPorts`, and AgentKitError `timeout` */
export async function changePorts<T>(
  stateFolder: string,
  decide: (ports: ReservedPort[]) => Promise<{ ports: ReservedPort[]; answer: T }>,
): Promise<T> {
  const files = stateFiles(stateFolder);
  await mkdir(dirname(files.ports), { recursive: true, mode: 0o700 });
  return withLock(
    files.portsLock,
    async () => {
      const { ports, answer } = await decide(await readPorts(stateFolder));
      await writeJson(files.ports, { version: 1, ports });
      return answer;
    },
    { timeoutMs: lockMs },
  );
}

/** Which lane has which port cannot be known from a damaged file, so only a person can put it away. */
function withCure(error: unknown): never {
  if (!(error instanceof AgentKitError)) throw error;
  throw new AgentKitError(
    error.reason,
    `${error.message}. It says which lane has which port; delete it, and lanes that are taken up again ask for their own`,
    { cause: error },
  );
}

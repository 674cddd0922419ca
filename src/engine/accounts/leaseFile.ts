import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import * as z from 'zod/mini';
import { AgentKitError } from '../../core/agentKitError.ts';
import { processIdentitySchema } from '../../core/run/processIdentity.ts';
import { isAlive } from '../process/identity.ts';
import { readJsonIfThere, writeJson } from '../store/atomicFile.ts';
import { withLock } from '../store/lock.ts';
import { stateFiles } from '../store/paths.ts';
import { userFolders } from '../store/userFolders.ts';

type Environment = Readonly<Record<string, string | undefined>>;

const leaseSchema = z.object({
  id: z.string(),
  /** `kind/@profile`. */
  account: z.string(),
  /** Salted hash of the vendor's name of the login: every profile of it is taken too. */
  identity: z.exactOptional(z.string()),
  /** Whoever only reads shares the account. */
  mode: z.enum(['write', 'read']),
  /** Who uses the account: `<run>/<lane>`, or a name that somebody gave. */
  owner: z.string(),
  /** The lease lives with this process, */
  process: z.nullable(processIdentitySchema),
  /** or with the supervised process of this folder, */
  holder: z.nullable(z.string()),
  /** or, for an owner that has neither, for this many seconds. */
  ttl_s: z.exactOptional(z.number()),
  taken_at: z.string(),
});

export type Lease = z.output<typeof leaseSchema>;

const fileSchema = z.object({ version: z.literal(1), leases: z.array(leaseSchema) });
const lockMs = 10_000;

/** The leases that hold now; those whose owner is gone have lapsed. */
export async function listLeases({ environment }: { environment: Environment }): Promise<Lease[]> {
  return readLive(stateFiles(userFolders(environment).state).leases);
}

/** Changes the leases while nobody else does, and drops those that have lapsed. */
export async function changeLeases<T>(
  environment: Environment,
  decide: (leases: Lease[]) => { leases: Lease[]; answer: T } | Promise<{ leases: Lease[]; answer: T }>,
): Promise<T> {
  const files = stateFiles(userFolders(environment).state);
  await mkdir(dirname(files.leases), { recursive: true, mode: 0o700 });
  return withLock(
    files.leasesLock,
    async () => {
      const { leases, answer } = await decide(await readLive(files.leases));
      await writeJson(files.leases, { version: 1, leases });
      return answer;
    },
    { timeoutMs: lockMs },
  );
}

async function readLive(file: string): Promise<Lease[]> {
  const all = (await readJsonIfThere(file, fileSchema).catch(withCure))?.leases ?? [];
  const holds = await Promise.all(all.map(isHeld));
  return all.filter((_lease, index) => holds[index]);
}

/** Whether writers hold accounts cannot be known from a damaged file, so only a person can put it away. */
function withCure(error: unknown): never {
  if (!(error instanceof AgentKitError)) throw error;
  throw new AgentKitError(
    error.reason,
    `${error.message}. It says which accounts are in use; delete it when no agent runs on this machine`,
    { cause: error },
  );
}

async function isHeld({ process, holder, ttl_s: ttl, taken_at: taken }: Lease): Promise<boolean> {
  if (process !== null && isAlive(process)) return true;
  if (holder !== null) return stepRuns(holder);
  if (ttl === undefined) return false;
  const left = Date.parse(taken) / 1000 + ttl - Date.now() / 1000;
  // A clock that was set back must not make it last.
  return left > 0 && left <= ttl + 1;
}

/**
 * A damaged step counts as running: an account is rather kept too long than used twice. One whose folder was deleted runs
 * as long as a process that carries its mark.
 */
export async function stepRuns(folder: string): Promise<boolean> {
  try {
    // Few leases outlive the process that took them, so this is rarely needed and always large.
    const { readStep } = await import('../process/steps.ts');
    const { state } = await readStep(folder);
    if (state === 'absent') {
      const { processesOfStep } = await import('../process/processesOfStep.ts');
      return processesOfStep(folder).length > 0;
    }
    if (state !== 'lost') return state === 'starting' || state === 'running';
    const { leftRunning } = await import('../process/leftRunning.ts');
    return await leftRunning(folder);
  } catch {
    return true;
  }
}

import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import * as z from 'zod/mini';
import { AgentKitError } from '../../core/agentKitError.ts';
import { processIdentitySchema } from '../../core/run/processIdentity.ts';
import { isAlive, processIdentity } from '../process/identity.ts';
import { readProcesses } from '../process/processRecord.ts';
import { readJsonIfThere, writeJson } from '../store/atomicFile.ts';
import { withLock } from '../store/lock.ts';
import { stateFiles, stepFiles } from '../store/paths.ts';
import { userFolders } from '../store/userFolders.ts';

type Environment = Readonly<Record<string, string | undefined>>;

const leaseSchema = z.object({
  /** `kind/@profile`. */
  account: z.string(),
  /** Who writes under this account: `<run>/<lane>`. */
  owner: z.string(),
  /** The process that took it; the lease lives with it, */
  process: processIdentitySchema,
  /** or with the supervised process of this folder. */
  holder: z.string(),
  taken_at: z.string(),
});

export type Lease = z.output<typeof leaseSchema>;

const fileSchema = z.object({ version: z.literal(1), leases: z.array(leaseSchema) });
const lockMs = 10_000;

/**
 * Takes an account for one writer on this machine. Returns false when another owner has it; taking it again for the
 * same owner renews it, also from another process.
 */
export async function takeLease(request: {
  account: string;
  owner: string;
  holder: string;
  environment: Environment;
}): Promise<boolean> {
  const { account, owner, holder } = request;
  const taker = processIdentity(process.pid);
  if (!taker) {
    throw new AgentKitError('internal', 'This process does not find itself in the list of processes');
  }
  return change(request.environment, (leases) => {
    if (leases.some((lease) => lease.account === account && lease.owner !== owner)) {
      return { leases, answer: false };
    }
    const others = leases.filter((lease) => lease.account !== account);
    const lease = { account, owner, process: taker, holder, taken_at: new Date().toISOString() };
    return { leases: [...others, lease], answer: true };
  });
}

/** Gives back every account that an owner holds. */
export async function releaseLease(request: { owner: string; environment: Environment }): Promise<void> {
  await change(request.environment, (leases) => ({
    leases: leases.filter((lease) => lease.owner !== request.owner),
    answer: undefined,
  }));
}

/** The leases that hold now; those whose process and step have both ended have lapsed. */
export async function listLeases({ environment }: { environment: Environment }): Promise<Lease[]> {
  return readLive(stateFiles(userFolders(environment).state).leases);
}

async function change<T>(
  environment: Environment,
  decide: (leases: Lease[]) => { leases: Lease[]; answer: T },
): Promise<T> {
  const files = stateFiles(userFolders(environment).state);
  await mkdir(dirname(files.leases), { recursive: true, mode: 0o700 });
  return withLock(
    files.leasesLock,
    async () => {
      const { leases, answer } = decide(await readLive(files.leases));
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

async function isHeld(lease: Lease): Promise<boolean> {
  return isAlive(lease.process) || stepRuns(lease.holder);
}

/** A damaged step counts as running: an account is rather kept too long than used twice. */
async function stepRuns(folder: string): Promise<boolean> {
  try {
    // Few leases outlive the process that took them, so this is rarely needed and always large.
    const { readStep } = await import('../process/steps.ts');
    const { state } = await readStep(folder);
    // An agent may outlive its supervisor.
    return state === 'lost' ? await leftRunning(folder) : state === 'starting' || state === 'running';
  } catch {
    return true;
  }
}

async function leftRunning(folder: string): Promise<boolean> {
  const record = await readProcesses(stepFiles(folder).processes);
  return record?.noted.some(isAlive) ?? false;
}

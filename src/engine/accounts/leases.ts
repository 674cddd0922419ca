import { randomBytes } from 'node:crypto';
import { normalAccount } from '../../core/accounts/account.ts';
import { useOf } from '../../core/accounts/accountUse.ts';
import { AgentKitError } from '../../core/agentKitError.ts';
import { processIdentity } from '../process/identity.ts';
import { knownLogin } from './knownLogin.ts';
import { changeLeases, listLeases, stepRuns, type Lease } from './leaseFile.ts';

export { listLeases, type Lease };

type Environment = Readonly<Record<string, string | undefined>>;

/** Who uses an account, and how long. */
export interface LeaseOwner {
  owner: string;
  /** Folder of the supervised process with which the lease lives once the process that took it has ended. */
  holder?: string;
  /** The process with which it lives; this one where it is left out. */
  pid?: number;
  /** For an owner that has neither process nor folder: seconds. */
  ttlS?: number;
  /** `read` shares the account; default `write`. */
  mode?: 'write' | 'read';
}

/**
 * Takes an account for one writer on this machine. Returns false when others have its slots, under this or another
 * profile of the same login; taking it again for the same owner renews it, also from another process.
 * @throws AgentKitError `not_found` when the owner's process is gone
 */
export async function takeLease(
  request: LeaseOwner & { account: string; environment: Environment },
): Promise<boolean> {
  const { account, environment, owner } = request;
  const { identity, slots } = await knownLogin(account, environment);
  const made = makeLease(request, account, identity);
  return changeLeases(environment, (leases) => {
    const mine = leases.find((lease) => lease.owner === owner && isSameAccount(lease.account, account));
    const others = leases.filter((lease) => lease !== mine);
    const use = useOf({ account, identity }, others, slots, Date.now());
    const waits = mine === undefined && use.isResting;
    if (made.mode === 'write' && (use.writers >= slots || waits)) return { leases, answer: false };
    const lease = mine === undefined ? made : { ...made, id: mine.id, taken_at: mine.taken_at };
    return { leases: [...others, lease], answer: true };
  });
}

/**
 * Holds the login of an account whose lease was taken before anybody knew whose it is. False, and given back, when
 * writers under other profiles of that login have its slots.
 */
export async function settleLease(request: {
  account: string;
  owner: string;
  identity: string;
  environment: Environment;
}): Promise<boolean> {
  const { account, owner, identity, environment } = request;
  const { slots } = await knownLogin(account, environment);
  return changeLeases(environment, (leases) => {
    const mine = leases.find((lease) => lease.owner === owner && isSameAccount(lease.account, account));
    if (mine === undefined || mine.identity === identity) return { leases, answer: true };
    const others = leases.filter((lease) => lease !== mine);
    const { writers } = useOf({ account, identity }, others, slots, Date.now());
    if (mine.mode === 'write' && writers >= slots) return { leases: others, answer: false };
    return { leases: [...others, { ...mine, identity }], answer: true };
  });
}

/** A lease as it will be written. @throws as `takeLease` */
export function makeLease(request: LeaseOwner, account: string, identity: string | undefined): Lease {
  const { owner, holder = null, pid = process.pid, ttlS, mode = 'write' } = request;
  const taker = ttlS === undefined ? processIdentity(pid) : null;
  if (taker === null && ttlS === undefined)
    throw new AgentKitError(
      'not_found',
      `There is no process ${pid} for the lease of ${account} to live with`,
    );
  return {
    id: randomBytes(4).toString('hex'),
    account,
    ...(identity !== undefined && { identity }),
    mode,
    owner,
    process: taker,
    holder: ttlS === undefined ? holder : null,
    ...(ttlS !== undefined && { ttl_s: ttlS }),
    taken_at: new Date().toISOString(),
  };
}

/** Gives back every account that an owner holds. */
export async function releaseLease(request: { owner: string; environment: Environment }): Promise<void> {
  await changeLeases(request.environment, (leases) => ({
    leases: leases.filter((lease) => lease.owner !== request.owner),
    answer: undefined,
  }));
}

/**
 * Gives back one lease by its id.
 * @throws AgentKitError `not_found`, `refused` while an agent runs under it
 */
export async function releaseLeaseById(id: string, environment: Environment): Promise<Lease> {
  return changeLeases(environment, async (leases) => {
    const found = leases.find((lease) => lease.id === id);
    if (found === undefined) {
      const known = leases.map((lease) => `${lease.id} (${lease.account})`).join(', ') || 'none';
      throw new AgentKitError('not_found', `There is no lease ${id}; there are ${known}.`);
    }
    if (found.holder !== null && (await stepRuns(found.holder))) {
      throw new AgentKitError(
        'refused',
        `An agent of ${found.owner} still runs under ${found.account}; stop that, and the lease ends with it.`,
      );
    }
    return { leases: leases.filter((lease) => lease !== found), answer: found };
  });
}

function isSameAccount(one: string, other: string): boolean {
  return normalAccount(one) === normalAccount(other);
}

import { lstatSync } from 'node:fs';
import { AgentKitError } from '../../core/agentKitError.ts';
import type { PortRange } from '../../core/plan/worktreeSettings.ts';
import { isPortFree } from './isPortFree.ts';
import { changePorts, type ReservedPort } from './portFile.ts';

export interface PortRequest {
  /** The person's state folder. */
  stateFolder: string;
  /** The lane, by a name that no lane of another repository has. */
  owner: string;
  /** The common git folder of its repository. */
  repository?: string;
  /** By variable. */
  ports: Readonly<Record<string, PortRange>>;
  /** What it had once, as its journal says; given again where nobody has taken it since. */
  previous?: Readonly<Record<string, number>>;
  /** A lane that finds no other port is given these. */
  yields?: true;
}

/**
 * Gives a lane a port of each range that no other lane of this machine has and that nobody listens at. Lanes of
 * repositories that were deleted have none any more. Repeatable: what
 * a lane has it keeps, also while its own server listens there, until it is released.
 * @throws AgentKitError `conflict` naming the range that has none left, and then nothing is reserved; as `changePorts`
 */
export async function reservePorts(request: PortRequest): Promise<Record<string, number>> {
  const { stateFolder, owner, repository, ports: ranges, previous = {}, yields } = request;
  if (Object.keys(ranges).length === 0) return {};
  return changePorts(stateFolder, async (all) => {
    const others = all.filter((each) => each.owner !== owner && !isGone(each));
    const taken = new Set(others.map(({ port }) => port));
    const yielding = new Set(others.flatMap((each) => (each.yields && !yields ? [each.port] : [])));
    const had = new Map(all.flatMap((each) => (each.owner === owner ? [[each.name, each.port]] : [])));
    const given = new Map<string, number>();
    const give = (name: string, port: number) => {
      taken.add(port);
      yielding.delete(port);
      given.set(name, port);
    };
    for (const [name, range] of Object.entries(ranges)) {
      const own = had.get(name);
      if (isIn(own, range)) give(name, own);
    }
    for (const [name, range] of Object.entries(ranges)) {
      if (given.has(name)) continue;
      const once = previous[name];
      const again = isIn(once, range) ? await firstFree({ from: once, to: once }, taken) : undefined;
      const port = again ?? (await firstFree(range, taken)) ?? (await firstFree(range, taken, yielding));
      if (port === undefined) throw noneLeft(name, range, others);
      give(name, port);
    }
    const mine = [...given].map(([name, port]) => ({
      port,
      name,
      owner,
      ...(repository !== undefined && { repository }),
      ...(yields && { yields }),
    }));
    const mineNow = new Set(given.values());
    const theirs = others.filter(({ port }) => !mineNow.has(port));
    return { ports: [...theirs, ...mine], answer: Object.fromEntries(given) };
  });
}

/** Gives back every port that a lane has. */
export async function releasePorts(request: { stateFolder: string; owner: string }): Promise<void> {
  await changePorts(request.stateFolder, (all) =>
    Promise.resolve({ ports: all.filter(({ owner }) => owner !== request.owner), answer: undefined }),
  );
}

/** Of what was reserved before the repository was noted, and of a folder that cannot be looked into, it cannot be told. */
function isGone({ repository }: ReservedPort): boolean {
  if (repository === undefined) return false;
  try {
    return lstatSync(repository, { throwIfNoEntry: false }) === undefined;
  } catch {
    return false;
  }
}

function isIn(port: number | undefined, { from, to }: PortRange): port is number {
  return port !== undefined && port >= from && port <= to;
}

async function firstFree(
  { from, to }: PortRange,
  taken: ReadonlySet<number>,
  yielding: ReadonlySet<number> = new Set(),
): Promise<number | undefined> {
  for (let port = from; port <= to; port++) {
    if ((!taken.has(port) || yielding.has(port)) && (await isPortFree(port))) return port;
  }
  return undefined;
}

const shownOwners = 5;

function noneLeft(name: string, range: PortRange, others: readonly ReservedPort[]): AgentKitError {
  const holders = [...new Set(others.filter(({ port }) => isIn(port, range)).map(({ owner }) => owner))];
  const more = holders.length > shownOwners ? `, and ${holders.length - shownOwners} more` : '';
  const lanes =
    holders.length === 0
      ? 'programs listen at all of them'
      : `these lanes have some of them, programs listen at the others: ${holders.slice(0, shownOwners).join(', ')}${more}`;
  return new AgentKitError(
    'conflict',
    `No port from ${range.from} to ${range.to} is left for ${name} (${lanes}); close lanes that you no longer need, or widen worktree.ports.${name} in agentkit.yaml`,
  );
}

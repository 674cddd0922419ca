import { setTimeout as wait } from 'node:timers/promises';
import type { ProcessIdentity } from '../../core/run/processIdentity.ts';
import { isAlive, sameProcess } from './identity.ts';
import { findOrphans, type Orphan, type OrphanRequest } from './orphans.ts';

/** What became of one process. */
export interface StoppedOrphan {
  orphan: Orphan;
  /**
   * `ended` when asked, `killed` when it did not heed that; `gone` before it was asked; `spared` for it is nobody's
   * orphan any more; `left` for it could not be stopped.
   */
  outcome: 'ended' | 'killed' | 'gone' | 'spared' | 'left';
  /** For a person. */
  message: string;
}

export interface StopRequest extends OrphanRequest {
  /** How long they get to end by themselves, in milliseconds; 5 s when left out. */
  graceMs?: number;
}

const defaultGraceMs = 5_000;
const killedMs = 2_000;
const pollMs = 50;

/**
 * Ends orphans, each by its id and start time: SIGTERM, a grace period, SIGKILL. Before each signal it is looked anew
 * whether they still are orphans. Never rejects for what a process does.
 */
export async function stopOrphans(
  orphans: readonly Orphan[],
  { runsFolder, dist, graceMs = defaultGraceMs }: StopRequest,
): Promise<StoppedOrphan[]> {
  const results = new Map<Orphan, StoppedOrphan>();
  const settle = (orphan: Orphan, outcome: StoppedOrphan['outcome'], message: string) =>
    results.set(orphan, { orphan, outcome, message });
  const open = () => orphans.filter((orphan) => !results.has(orphan));
  const settleDead = (outcome: StoppedOrphan['outcome'], word: string) =>
    open()
      .filter((orphan) => !isAlive(orphan))
      .forEach((orphan) => settle(orphan, outcome, `Process ${orphan.pid} ${word}`));

  const signalOrphans = async (name: NodeJS.Signals) => {
    const still = await findOrphans({ runsFolder, dist });
    for (const orphan of open().filter(isAlive)) {
      const told = still.some((each) => sameProcess(each, orphan)) ? signal(orphan, name) : 'spared';
      if (told === 'spared') {
        settle(orphan, 'spared', `Process ${orphan.pid} is no orphan any more and was left alone`);
      } else if (told !== 'sent') settle(orphan, 'left', `Process ${orphan.pid} cannot be stopped: ${told}`);
    }
  };

  settleDead('gone', 'had ended already');
  await signalOrphans('SIGTERM');
  await until(graceMs, () => !open().some(isAlive));
  settleDead('ended', 'was stopped');
  if (open().length > 0) await signalOrphans('SIGKILL');
  await until(killedMs, () => !open().some(isAlive));
  settleDead('killed', 'did not end when asked and was killed');
  open().forEach((orphan) => settle(orphan, 'left', `Process ${orphan.pid} was killed and is still there`));
  return orphans.flatMap((orphan) => results.get(orphan) ?? []);
}

/** `sent`, or why not. */
function signal(orphan: ProcessIdentity, name: NodeJS.Signals): string {
  // Once more, for the id may have gone to another process while the list was made.
  if (!isAlive(orphan)) return 'sent';
  try {
    process.kill(orphan.pid, name);
    return 'sent';
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // It ended in this moment.
    return code === 'ESRCH' ? 'sent' : `it belongs to somebody else (${code})`;
  }
}

async function until(limitMs: number, done: () => boolean): Promise<void> {
  const deadline = performance.now() + limitMs;
  while (!done() && performance.now() < deadline) await wait(pollMs);
}

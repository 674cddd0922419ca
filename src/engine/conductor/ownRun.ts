import { AgentKitError } from '../../core/agentKitError.ts';
import { applyEvent } from '../../core/run/fold.ts';
import type { Head, RunEvent, RunEventBody } from '../../core/run/runEvent.ts';
import type { RunState } from '../../core/run/runState.ts';
import { processIdentity } from '../process/identity.ts';
import { Journal } from '../store/journal.ts';
import { tryHold, type HeldLock } from '../store/lock.ts';
import { foldEvents, journalFile, ownerLockFile } from '../store/runFolder.ts';

/** A run whose journal this process alone may write, until it releases the lock or dies. */
export interface OwnedRun {
  journal: Journal;
  state: RunState;
  lock: HeldLock;
}

/** Makes the journal of a new run and owns it. */
export async function ownNewRun(
  folder: string,
  head: Head,
  created: RunEventBody,
  now: () => Date,
): Promise<OwnedRun> {
  return withOwnership(folder, async () => {
    const { journal, events } = await Journal.create(journalFile(folder), now, [
      created,
      ownerEvent(head, 1),
    ]);
    return { journal, state: await foldEvents(folder, events) };
  });
}

/**
 * Takes a run whose owner is gone; with `ask` its agents ask from now on, whoever goes on with it later.
 * @throws AgentKitError `conflict` when it has a live owner
 */
export async function ownExistingRun(
  folder: string,
  { head, ask }: { head: Head; ask: boolean },
  now: () => Date,
): Promise<OwnedRun> {
  return withOwnership(folder, async () => {
    const { journal, events } = await Journal.openExisting(journalFile(folder), now);
    const before = await foldEvents(folder, events);
    const taken: RunEvent[] = await journal.append([
      ownerEvent(head, before.fence + 1),
      ...(ask ? [{ type: 'run.asks' } as const] : []),
    ]);
    return { journal, state: taken.reduce(applyEvent, before) };
  });
}

async function withOwnership(folder: string, open: () => Promise<Omit<OwnedRun, 'lock'>>): Promise<OwnedRun> {
  const lock = tryHold(ownerLockFile(folder));
  if (lock === null)
    throw new AgentKitError('conflict', `Another window or ak conducts the run in ${folder}.`);
  try {
    return { ...(await open()), lock };
  } catch (error) {
    lock.release();
    throw error;
  }
}

function ownerEvent(head: Head, fence: number): RunEventBody {
  const identity = processIdentity(process.pid);
  if (identity === null) throw new AgentKitError('internal', 'This process cannot read its own start time.');
  return { type: 'owner', owner: { ...identity, head }, fence };
}

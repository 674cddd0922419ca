import type { AgentKind } from '../agents/agentKind.ts';
import type { EngineContext } from '../conductor/runContext.ts';
import type { Repository } from '../git/openRepository.ts';
import type { PlanKinds } from '../plans/planKinds.ts';
import type { LaneFinder } from '../runs/laneFinder.ts';
import type { RunKeeper } from '../runs/runKeeper.ts';
import type { RunReader } from '../runs/runReader.ts';
import { adoptLanes } from './adoptLanes.ts';
import { canTell, tellLane } from './tellLane.ts';
import { cleanLanes } from './cleanLanes.ts';
import { createByHand } from './createByHand.ts';
import { discardLane } from './discardLane.ts';
import { listPutAside } from './putAside.ts';
import { dropRescueOf, listAllRescues } from './rescues.ts';
import type { LaneCare } from './laneCare.ts';
import { laneOrphans, stopLaneOrphans } from './laneOrphans.ts';
import { laneResources } from './laneResources.ts';
import { previewDiscard } from './previewDiscard.ts';
import { restoreByHand } from './restoreByHand.ts';
import { stopGuest } from './stopGuest.ts';

/** What lanes are taken care of with. */
export interface CareSources {
  engine: EngineContext;
  repository: Repository;
  /** The checkout in which a base means what it says. */
  checkout: string;
  kinds: ReadonlyMap<string, AgentKind>;
  kindsAt: (commit: string) => Promise<PlanKinds>;
  /** Whether the commands that a repository names need the person's word; where the editor trusts it they have it. */
  needsTrust: boolean;
  /** What is copied into worktrees where the repository does not say it. */
  copies?: (() => readonly string[]) | undefined;
  finder: LaneFinder;
  reader: RunReader;
  keeper: RunKeeper;
}

/** What a person does with lanes besides running them. */
export function createLaneCare(sources: CareSources): LaneCare {
  return {
    create: (names, options) => createByHand(sources, names, options),
    previewDiscard: (lane) => previewDiscard(sources, lane),
    discard: (lane, options, wait) => discardLane(sources, lane, options, wait),
    stopGuest: (lane) => stopGuest(sources, lane),
    restore: (rescue) => restoreByHand(sources, rescue),
    rescues: () => listAllRescues(sources),
    putAside: () => listPutAside(sources),
    dropRescue: (ref) => dropRescueOf(sources, ref),
    canTell: (lane) => canTell(sources, lane),
    tell: (lane, text, wait) => tellLane(sources, lane, text, wait),
    clean: (options) => cleanLanes(sources, options),
    adopt: (which) => adoptLanes(sources, which),
    orphans: () => laneOrphans(sources),
    stopOrphans: (orphans) => stopLaneOrphans(sources, orphans),
    resources: (lane) => laneResources(sources, lane),
  };
}

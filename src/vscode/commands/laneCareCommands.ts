import type { LaneCareCommandId } from '../../ids.ts';
import type { Services } from '../platform/services.ts';
import { chooseLane } from './chooseLane.ts';
import { cleanUpLanes } from './cleanUpLanes.ts';
import type { CommandTable } from './commandTable.ts';
import { createLane } from './createLane.ts';
import { discardLane } from './discardLane.ts';
import { restoreLane } from './restoreLane.ts';
import { sendMessage } from './sendMessage.ts';
import { stopOrphans } from './stopOrphans.ts';

/** Making lanes, talking to their agents, and taking them away and back. */
export function laneCareCommands(services: Services): CommandTable<LaneCareCommandId> {
  return {
    'agentkit.lane.create': () => createLane(services),
    'agentkit.lane.sendMessage': async (argument) =>
      sendMessage(services, await chooseLane(services, argument, 'tellable')),
    'agentkit.lane.discard': async (argument) =>
      discardLane(services, await chooseLane(services, argument, 'discardable')),
    'agentkit.lane.restore': () => restoreLane(services),
    'agentkit.lane.cleanUp': () => cleanUpLanes(services),
    'agentkit.lane.stopOrphans': () => stopOrphans(services),
  };
}

import { setTimeout as pause } from 'node:timers/promises';
import { AgentKitError } from '../core/agentKitError.ts';
import type { LaneView } from '../core/lanes/laneView.ts';
import type { AgentKit } from '../engine/agentKit.ts';
import { letGoMessage } from './letGoMessage.ts';
import type { Session } from './session.ts';

const lookMs = 200;
const busy = new Set<LaneView['state']>(['queued', 'preparing', 'running', 'waiting', 'verifying']);

/** Waits until a lane has come to rest, whoever conducts it. @throws AgentKitError `cancelled` on Ctrl+C */
export async function laneAtRest(session: Session, kit: AgentKit, address: string): Promise<LaneView> {
  const { signal } = session.interrupts;
  let view = await kit.findLane(address);
  while (busy.has(view.state)) {
    if (signal.aborted) throw new AgentKitError('cancelled', letGoMessage(view.run));
    await pause(lookMs, undefined, { signal }).catch(() => undefined);
    view = await kit.findLane(address);
  }
  return view;
}

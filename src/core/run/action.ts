import type { Request } from './request.ts';
import type { RunEventBody } from './runEvent.ts';

/** What the conductor is told to do next. Each can be repeated after a crash. */
export type Action =
  /** Written together, so that an answer is never parted from what it answers. */
  | { do: 'append'; key: string; events: RunEventBody[] }
  | { do: 'assign'; lane: string; account: string; headroom_pct: number | null }
  | { do: 'createLane'; lane: string }
  | { do: 'startSetup'; lane: string }
  | { do: 'collectSetup'; lane: string; folder: string }
  | { do: 'startAttempt'; lane: string }
  | { do: 'launchStep'; lane: string; folder: string }
  | { do: 'stopStep'; lane: string; folder: string; answer: RunEventBody[] }
  | { do: 'collectAttempt'; lane: string; folder: string }
  | { do: 'settle'; lane: string }
  | { do: 'startGate'; lane: string; subject: 'lane' | 'merge' }
  | { do: 'collectCheck'; lane: string; folder: string }
  | { do: 'endGate'; lane: string }
  | { do: 'planMerge'; lane: string; request: Extract<Request, { do: 'merge' }> }
  | { do: 'applyMerge'; lane: string }
  /** Rescues a lane that is closing and takes it away, as far as its reason demands. */
  | { do: 'closeLane'; lane: string }
  /** Reads once what the accounts have left. */
  | { do: 'readSpend' }
  /** Ends a merge without moving the target, once nothing of it runs. */
  | { do: 'stopMerge'; lane: string };

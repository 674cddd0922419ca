import type { ChangedFile } from '../../engine/agentKitTypes.ts';
import type { CheckSubject } from './checkItem.ts';

/** A row of the Lanes tree names what it shows; the store knows the rest. Commands get it as their argument. */
export type LaneNode =
  | { type: 'run'; run: string }
  | { type: 'lane'; run: string; lane: string }
  | { type: 'attempt'; run: string; lane: string; attempt: number }
  | { type: 'check'; run: string; lane: string; subject: CheckSubject; check: string }
  | { type: 'files'; run: string; lane: string }
  | { type: 'file'; run: string; lane: string; file: ChangedFile };

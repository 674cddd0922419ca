import { createPicker } from '../engine/createPicker.ts';
import { pickRequest, type PickOptions } from './pickOptions.ts';
import type { Session } from './session.ts';
import { tellPick } from './tellPick.ts';

/** Chooses accounts and answers with them. */
export async function answerPick(session: Session, kind: string, options: PickOptions): Promise<void> {
  const pick = createPicker({ node: process.execPath, dist: session.dist, environment: process.env });
  tellPick(session, kind, await pick(pickRequest(kind, options)));
}

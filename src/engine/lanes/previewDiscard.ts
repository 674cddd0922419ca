import { AgentKitError } from '../../core/agentKitError.ts';
import type { CareSources } from './createLaneCare.ts';
import type { DiscardPreview } from './laneCare.ts';

/** What taking a lane away would mean now; changes nothing. */
export async function previewDiscard({ finder }: CareSources, lane: string): Promise<DiscardPreview> {
  await finder.find(lane);
  throw new AgentKitError('internal', 'The preview of a discard is not wired yet.');
}

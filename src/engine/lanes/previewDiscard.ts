import { guestsIn } from '../conductor/guestsIn.ts';
import type { DiscardPreview } from './laneCare.ts';
import type { CareSources } from './createLaneCare.ts';
import { previewRemoval } from './previewRemoval.ts';
import { whyNotAsked } from './whyNotAsked.ts';

/** What taking a lane away would mean now; changes nothing. */
export async function previewDiscard(sources: CareSources, lane: string): Promise<DiscardPreview> {
  const { folder, state, record } = await sources.finder.find(lane);
  const refused = whyNotAsked(
    state,
    { do: 'discard', lane: record.id },
    await guestsIn(sources.engine, folder, state),
  );
  const preview = await previewRemoval(sources, state, record, 'discard');
  return { ...preview, why_not: [...refused, ...preview.why_not] };
}

import type { Answer } from '../../core/run/request.ts';
import type { RequestWait } from '../agentKitTypes.ts';
import type { CareSources } from './createLaneCare.ts';

/** Rescues a lane and takes it away; resolves when that has ended, with the newest rescue of it. */
export async function discardLane(
  { finder, keeper, reader }: CareSources,
  lane: string,
  { acceptsLoss = false }: { acceptsLoss?: boolean } = {},
  wait: RequestWait = {},
): Promise<Answer & { rescue: string | null }> {
  const { folder, record } = await finder.find(lane);
  const body = {
    do: 'discard',
    lane: record.id,
    ...(acceptsLoss && { accepts_loss: true as const }),
  } as const;
  const answer = await keeper.request(folder, body, wait);
  const { lanes } = await reader.state(folder);
  const rescues = lanes.find(({ id }) => id === record.id)?.rescues ?? [];
  return { ...answer, rescue: rescues.at(-1)?.ref ?? null };
}

import { entryGaps } from './entryGaps.ts';
import type { RemovalRequest } from './inspectRemoval.ts';
import { proveLane } from './proveLane.ts';
import { commitGaps, folderGaps } from './rescueGaps.ts';

/** What of a lane would be lost if it were taken away without a rescue, ignored files not counted; each with the cure. */
export async function bareGaps(request: RemovalRequest): Promise<string[]> {
  const { admin, path, exists } = await proveLane(request);
  const { gaps } = await commitGaps(request, { admin, folderIsThere: exists }, null);
  if (admin === null) return gaps;
  const more = exists ? await folderGaps(path, admin, null, request.root) : await entryGaps(path, admin);
  return [...gaps, ...more];
}

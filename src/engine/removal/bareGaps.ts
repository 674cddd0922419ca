import { entryGaps } from './entryGaps.ts';
import type { RemovalRequest } from './inspectRemoval.ts';
import { proveLane } from './proveLane.ts';
import { folderGaps } from './rescueGaps.ts';

/** What of a lane's files would be lost if it were taken away without a rescue, ignored files not counted; each with the cure. */
export async function bareGaps(request: RemovalRequest): Promise<string[]> {
  const { admin, path, exists } = await proveLane(request);
  if (admin === null) return [];
  return exists ? folderGaps(path, admin, null, request.root) : entryGaps(path, admin);
}

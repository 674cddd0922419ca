import { appliesTo } from './headroomOf.ts';
import type { KnownLimit } from './usage.ts';

/** Whether a limit is one of a model alone, by its window or by the vendor's word. */
export function isOfOneModel({ window, one_model }: KnownLimit): boolean {
  return one_model === true || modelOfWindow(window) !== undefined;
}

/**
 * Whether a limit that a run met counts for jobs of a model; undefined: for those that name none and so get the one
 * that the CLI chooses. What a run of the same words met, the next one meets too.
 */
export function limitCounts(limit: KnownLimit, model: string | undefined): boolean {
  const named = modelOfWindow(limit.window);
  if (!isOfOneModel(limit) || model === limit.run_model) return true;
  return named !== undefined && appliesTo(named, model);
}

/** The model that a window counts alone, by its id; undefined for one that counts all. */
function modelOfWindow(id: string | undefined): string | undefined {
  const colon = id?.indexOf(':') ?? -1;
  return colon < 0 ? undefined : id?.slice(colon + 1);
}

import type { MergePlan } from '../engine/agentKit.ts';

/** merge-v1 of what a merge would do; the caller adds what came of it. */
export function mergeAnswer({ whyNot, ...plan }: MergePlan): object {
  return { ...plan, why_not: whyNot };
}

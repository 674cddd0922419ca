import type { PlanPreview } from '../engine/agentKit.ts';

/** plan-check-v1. */
export function planCheckAnswer({ whyNot, gateSource, overlaps, ...preview }: PlanPreview): object {
  return {
    ...preview,
    overlaps: overlaps.map(({ a, b, example, globA, globB, line, column }) => {
      return { a, b, example, glob_a: globA, glob_b: globB, line, column };
    }),
    gate_source: gateSource,
    why_not: whyNot,
  };
}

import type { PlanPreview } from '../engine/agentKit.ts';

/** plan-check-v1. */
export function planCheckAnswer({ whyNot, gateSource, overlaps, ...preview }: PlanPreview): object {
  return {
    ...preview,
    overlaps: overlaps.map(({ globA, globB, ...overlap }) => ({ ...overlap, glob_a: globA, glob_b: globB })),
    gate_source: gateSource,
    why_not: whyNot,
  };
}

import * as z from 'zod';
import { checkSchema, type Check } from '../plan/plan.ts';
import type { WorktreeSettings } from '../plan/worktreeSettings.ts';
import type { LaneRecord, RunState } from './runState.ts';

/** What a lane made by hand is judged by and given: a standing run is older than many a commit of its lanes. */
export const ownSettingsSchema = z.object({
  gate: z.array(checkSchema),
  worktree: z
    .object({
      root: z.string().exactOptional(),
      copy: z.array(z.string()),
      link: z.array(z.string()),
      setup: z.array(z.string()),
      teardown: z.array(z.string()),
      ports: z.record(z.string(), z.object({ from: z.number(), to: z.number() })),
      setup_timeout: z.number(),
    })
    .exactOptional(),
});

/** The checks that judge a lane. */
export function gateOf({ plan }: Pick<RunState, 'plan'>, { own }: Pick<LaneRecord, 'own'>): Check[] {
  return own?.gate ?? plan.gate;
}

/** What its worktree is given besides its checkout. */
export function worktreeOf(
  { plan }: Pick<RunState, 'plan'>,
  { own }: Pick<LaneRecord, 'own'>,
): WorktreeSettings | undefined {
  return own === undefined ? plan.worktree : own.worktree;
}

import type { RequestBody } from '../../core/run/request.ts';
import { mergeBegunFor } from '../../core/run/mergeBegunFor.ts';
import type { RunState } from '../../core/run/runState.ts';

/** What becomes of a request that is withdrawn. A merge that others wait for, or that nobody stops, goes on without it. */
export function whatIsCancelled(state: RunState, body: RequestBody, id: string): string {
  const { run } = state;
  const begun = mergeBegunFor(state, id);
  if (begun === undefined) return `The request (${body.do}) to run ${run} was withdrawn.`;
  return (
    `Let go of run ${run}; the merge of ${begun.id} had begun, and goes on with the run. ` +
    `End the merge with: ak lane stop ${begun.id}`
  );
}

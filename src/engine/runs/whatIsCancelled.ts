import type { RequestBody } from '../../core/run/request.ts';
import type { RunState } from '../../core/run/runState.ts';

/** What becomes of a request that is withdrawn. A merge whose gate runs goes on without its request. */
export function whatIsCancelled({ run, lanes }: RunState, body: RequestBody, id: string): string {
  const begun = lanes.find(({ merge }) => merge?.request === id && merge.status === 'planned');
  if (begun === undefined) return `The request (${body.do}) to run ${run} was withdrawn.`;
  return (
    `Let go of run ${run}; the merge of ${begun.id} had begun, and goes on with the run. ` +
    `End the merge with: ak lane stop ${begun.id}`
  );
}

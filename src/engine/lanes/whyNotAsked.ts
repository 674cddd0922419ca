import { decideRequests } from '../../core/run/decideRequests.ts';
import type { RequestBody } from '../../core/run/request.ts';
import type { RunState } from '../../core/run/runState.ts';

/**
 * What the owner of a run would answer to a request at once, without anything being done; empty where it would do it.
 * @param guests agents of `ak run` that work in lanes of the run
 */
export function whyNotAsked(
  state: RunState,
  body: RequestBody,
  guests: Readonly<Record<string, string>>,
): string[] {
  const request = { ...body, id: 'preview' };
  const facts = { accounts: [], steps: {}, requests: [request], mayMerge: false, startNew: false, guests };
  return decideRequests(state, facts).flatMap((action) =>
    action.do === 'append'
      ? action.events.flatMap((event) => (event.type === 'request.answered' ? [event.message] : []))
      : [],
  );
}

import assert from 'node:assert/strict';
import { decideRequests } from '../../../../src/core/run/decideRequests.ts';
import type { RunEventBody } from '../../../../src/core/run/runEvent.ts';
import { story, way } from './events.ts';
import { facts, job, plan, stateAfter } from './samples.ts';

describe('telling the agent of a lane something', () => {
  const { started, ended, assigned, created } = story('api');
  const end = ended('failed') as Extract<RunEventBody, { type: 'attempt.ended' }>;
  const before = [assigned(), created(), started(), { ...end, session_id: 's1' }];

  function asked(session: string, account: string, events: RunEventBody[] = before): string {
    const request = { id: 'q1', do: 'tell', lane: 'api', session, account, text: 'Go on.' } as const;
    const actions = decideRequests(stateAfter(plan([job('api')]), ...events), facts({ requests: [request] }));
    const found = actions.flatMap((action) => (action.do === 'append' ? action.events : []));
    return found.map((event) => (event.type === 'request.answered' ? event.message : event.type)).join(': ');
  }

  it('goes to a session that an agent of the lane had, under the account that it had', () => {
    assert.equal(asked('s1', 'demo/@one'), 'lane.reopened: The agent of lane api is told.');
  });

  it('is refused for any other session, and for the same of another account', () => {
    assert.equal(asked('s2', 'demo/@one'), 'Lane api has no session s2 of demo/@one.');
    assert.equal(asked('s1', 'demo/@two'), 'Lane api has no session s1 of demo/@two.');
    assert.match(asked('s1', 'demo/@one', way('api').failed()), /has no session/);
  });

  it('is refused while an agent is at work in it', () => {
    const running = [...before, story('api').reopened(), assigned(), created(), started(2)];
    assert.match(asked('s1', 'demo/@one', running), /^Lane api is running; /);
  });
});

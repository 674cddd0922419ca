import { join } from 'node:path';
import type { Action } from '../../core/run/action.ts';
import { requestStop } from '../process/steps.ts';
import { collectAttempt } from './collectAttempt.ts';
import { collectCheck, endGate, startGate } from './gateActions.ts';
import { applyLaneMerge, planLaneMerge, stopLaneMerge } from './mergeActions.ts';
import { closeLane } from './closeLane.ts';
import { freeAccount } from './holdAccount.ts';
import { assignAccount, prepareLane, startAttempt } from './prepareLane.ts';
import type { RunContext } from './runContext.ts';
import { settleLane } from './settleLane.ts';
import { collectSetup, startSetup } from './setupActions.ts';
import { launchStep } from './stepLaunch.ts';

/** Does one thing that was decided and writes down what came of it. Every action can be repeated after a crash. */
export async function act(run: RunContext, action: Action): Promise<void> {
  switch (action.do) {
    case 'append':
      // A lane that is blocked before its agent began gives its account back.
      for (const event of action.events)
        if (event.type === 'lane.blocked') await freeAccount(run, event.lane);
      return run.append(...action.events);
    case 'assign':
      return assignAccount(run, action.lane, action.account, action.headroom_pct);
    case 'createLane':
      return prepareLane(run, action.lane);
    case 'startSetup':
      return startSetup(run, action.lane);
    case 'collectSetup':
      return collectSetup(run, action.lane, action.folder);
    case 'closeLane':
      return closeLane(run, action.lane);
    case 'startAttempt':
      return startAttempt(run, action.lane);
    case 'launchStep':
      return launchStep(run, action.lane, action.folder);
    case 'stopStep':
      await requestStop(join(run.folder, action.folder));
      return run.append(...action.answer);
    case 'collectAttempt':
      return collectAttempt(run, action.lane, action.folder);
    case 'settle':
      return settleLane(run, action.lane);
    case 'startGate':
      return startGate(run, action.lane, action.subject);
    case 'collectCheck':
      return collectCheck(run, action.lane, action.folder);
    case 'endGate':
      return endGate(run, action.lane);
    case 'planMerge':
      return planLaneMerge(run, action.lane, action.request);
    case 'applyMerge':
      return applyLaneMerge(run, action.lane);
    case 'readSpend':
      return run.append({ type: 'run.spent', accounts: await run.spend() });
    case 'stopMerge':
      return stopLaneMerge(run, action.lane);
  }
}

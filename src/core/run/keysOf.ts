import type { Action } from './action.ts';

/**
 * What an action needs for itself alone: two that share a key never run at the same time. Accounts are given one
 * after another, so that each decision knows the places already taken, and merges go one at a time.
 */
export function keysOf(action: Action): string[] {
  switch (action.do) {
    case 'append':
      return [action.key];
    case 'assign':
      return [action.lane, '*accounts'];
    case 'planMerge':
      return [action.lane, '*merge'];
    case 'readSpend':
      return ['run'];
    case 'createLane':
    case 'startSetup':
    case 'collectSetup':
    case 'closeLane':
    case 'startAttempt':
    case 'launchStep':
    case 'stopStep':
    case 'collectAttempt':
    case 'settle':
    case 'startGate':
    case 'collectCheck':
    case 'endGate':
    case 'applyMerge':
    case 'stopMerge':
      return [action.lane];
  }
}

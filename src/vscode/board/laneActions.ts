import type { LaneView } from '../../core/lanes/laneView.ts';
import type { BoardCard } from '../../protocol/boardMessages.ts';
import { laneWords, type LaneWord } from '../stores/laneWords.ts';

/** Verbs of `agentkit.lane.*` commands that a card may offer: the label, and the word of the lane that allows it. */
const verbs = {
  merge: { label: 'Review and Merge…', needs: 'mergeable' },
  reviewChanges: { label: 'Review Changes', needs: 'changed' },
  retry: { label: 'Retry', needs: 'retryable' },
  runGate: { label: 'Run Gate', needs: 'gateable' },
  showTerminal: { label: 'Show Terminal', needs: 'attempted' },
  openWorktree: { label: 'Open Worktree', needs: 'worktree' },
  stop: { label: 'Stop', needs: 'stoppable' },
} as const satisfies Record<string, { label: string; needs: LaneWord }>;

type LaneVerb = keyof typeof verbs;

/** The most useful first: while an agent works its terminal, afterwards its changes. */
const whileWorking: readonly LaneVerb[] = ['showTerminal', 'stop', 'openWorktree', 'reviewChanges'];
const afterwards: readonly LaneVerb[] = [
  ...(['merge', 'reviewChanges', 'retry', 'runGate', 'showTerminal', 'openWorktree'] as const),
];

/** The commands that a lane's card offers now, in order. */
export function laneActions(lane: LaneView): BoardCard['actions'] {
  const words = new Set(laneWords(lane));
  const order = words.has('stoppable') ? whileWorking : afterwards;
  return order
    .filter((verb) => words.has(verbs[verb].needs))
    .map((verb) => ({ id: verb, label: verbs[verb].label }));
}

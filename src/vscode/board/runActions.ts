import type { RunView } from '../../core/lanes/laneView.ts';
import type { BoardSnapshot } from '../../protocol/boardMessages.ts';

type RunAction = NonNullable<BoardSnapshot['actions']>[number];

const stop: RunAction = { id: 'stop', label: 'Stop Run' };
const resume: RunAction = { id: 'resume', label: 'Resume Run' };
const showReport: RunAction = { id: 'showReport', label: 'Show Report' };

/** Verbs of `agentkit.run.*` commands that the board of a run offers now. */
export function runActions(run: RunView): RunAction[] {
  const goOn = run.resumable ? [resume] : [];
  switch (run.status) {
    case 'running':
      return [...goOn, stop];
    case 'stopping':
      return [];
    case 'interrupted':
    case 'done':
    case 'failed':
    case 'stopped':
      return [...goOn, showReport];
  }
}

import { env, l10n, type Memento } from 'vscode';
import type { LaneView } from '../../core/lanes/laneView.ts';
import type { RequestBody } from '../../core/run/request.ts';
import type { LaneCareCommandId, LaneCommandId } from '../../ids.ts';
import type { Services } from '../platform/services.ts';
import type { LaneWord } from '../stores/laneWords.ts';
import { askOwner } from './askOwner.ts';
import { chooseLane } from './chooseLane.ts';
import type { CommandTable } from './commandTable.ts';
import { laneArgument } from './laneArgument.ts';
import { laneCareCommands } from './laneCareCommands.ts';
import { mergeLane } from './mergeLane.ts';
import { addToThisWindow, WorktreeOpener } from './openWorktree.ts';

/** Where lanes are shown besides the trees. */
export interface LaneSurfaces {
  terminals: { show(lane: LaneView): void };
  reviews: { open(lane: LaneView): Promise<void>; current(): LaneView | undefined };
}

export function laneCommands(
  services: Services,
  { terminals, reviews }: LaneSurfaces,
  memory: Memento,
): CommandTable<LaneCommandId | LaneCareCommandId> {
  const opener = new WorktreeOpener(services, memory);
  const withLane = (word: LaneWord, act: (lane: LaneView) => unknown) => async (argument: unknown) =>
    act(await chooseLane(services, argument, word));
  const ask = (word: LaneWord, request: (lane: string) => RequestBody, title: (lane: string) => string) =>
    withLane(word, ({ run, lane }) => askOwner(services, run, request(lane), title(lane)));
  return {
    ...laneCareCommands(services),
    'agentkit.lane.openWorktree': withLane('worktree', (lane) => opener.open(lane)),
    'agentkit.lane.addToThisWindow': withLane('worktree', addToThisWindow),
    'agentkit.lane.showTerminal': withLane('attempted', (lane) => terminals.show(lane)),
    'agentkit.lane.reviewChanges': withLane('changed', (lane) => reviews.open(lane)),
    'agentkit.lane.merge': async (argument) => {
      // From an editor's title or the palette the lane under review is meant.
      const named = laneArgument(argument) ?? reviews.current();
      const lane = await chooseLane(services, named, 'mergeable');
      return mergeLane(services, lane, () => reviews.open(lane));
    },
    'agentkit.lane.runGate': ask(
      'gateable',
      (lane) => ({ do: 'gate', lane }),
      (lane) => l10n.t('Asking for the gate of {0}', lane),
    ),
    'agentkit.lane.retry': ask(
      'retryable',
      (lane) => ({ do: 'retry', lane }),
      (lane) => l10n.t('Trying {0} again', lane),
    ),
    'agentkit.lane.stop': ask(
      'stoppable',
      (lane) => ({ do: 'stopLane', lane }),
      (lane) => l10n.t('Stopping {0}', lane),
    ),
    'agentkit.lane.copyBranch': withLane('worktree', (lane) => env.clipboard.writeText(lane.branch ?? '')),
  };
}

import { l10n, TreeItem } from 'vscode';
import type { CommandId } from '../../ids.ts';
import { revisionUri } from '../platform/revisionUri.ts';
import { currentRuns, isWorking } from '../stores/attention.ts';
import type { LaneStore } from '../stores/laneStore.ts';
import { attemptItem } from './attemptItem.ts';
import { changedFileItem, changedFilesItem } from './changedFileItem.ts';
import { checkItem } from './checkItem.ts';
import { laneItem } from './laneItem.ts';
import type { LaneNode } from './laneNode.ts';
import type { Render } from '../platform/render.ts';
import { runItem } from './runItem.ts';
import { toTreeItem } from './toTreeItem.ts';

/** The editor's row of a node; an empty one while a node outlives what it shows. */
export function laneTreeItem(node: LaneNode, lanes: LaneStore, render: Render): TreeItem {
  if (node.type === 'run') {
    const run = lanes.run(node.run);
    if (!run) return new TreeItem('');
    return toTreeItem(runItem(run, currentRuns(lanes.runs).includes(run), render));
  }
  const lane = lanes.lane(node.lane, node.run);
  if (!lane) return new TreeItem('');
  switch (node.type) {
    case 'lane': {
      const item = toTreeItem(laneItem(lane, render));
      if (lane.path) item.command = openWorktree(node);
      // Without one the editor asks for it at a closer look.
      if (isWorking(lane)) delete item.tooltip;
      return item;
    }
    case 'attempt': {
      const attempt = lane.attempts.find(({ n }) => n === node.attempt);
      return attempt ? toTreeItem(attemptItem(lane, attempt, render)) : new TreeItem('');
    }
    case 'check': {
      const gate = node.subject === 'lane' ? lane.gate : lane.merge_gate;
      const check = gate.checks.find(({ name }) => name === node.check);
      return check ? toTreeItem(checkItem(lane, node.subject, check, render)) : new TreeItem('');
    }
    case 'files':
      return toTreeItem(changedFilesItem(lane, render));
    case 'file': {
      const item = toTreeItem(changedFileItem(lane, node.file, render));
      const { path, from = path, status } = node.file;
      const worktree = lane.path ?? '/';
      const left = revisionUri(worktree, {
        commit: status === 'added' ? null : (lane.base?.sha ?? null),
        path: from,
      });
      const right = revisionUri(worktree, { commit: status === 'deleted' ? null : lane.head, path });
      item.command = {
        command: 'vscode.diff',
        title: l10n.t('Open Diff'),
        arguments: [left, right, `${path} (${lane.lane})`],
      };
      return item;
    }
  }
}

function openWorktree(node: LaneNode): { command: CommandId; title: string; arguments: unknown[] } {
  return { command: 'agentkit.lane.openWorktree', title: l10n.t('Open Worktree'), arguments: [node] };
}

import type { LaneView } from '../../core/lanes/laneView.ts';
import type { ChangedFile } from '../../engine/agentKitTypes.ts';
import type { Icon, ItemView } from './itemView.ts';
import type { Render } from '../platform/render.ts';

const icons: Record<ChangedFile['status'], Icon> = {
  added: { id: 'diff-added', color: 'gitDecoration.addedResourceForeground' },
  modified: { id: 'diff-modified', color: 'gitDecoration.modifiedResourceForeground' },
  deleted: { id: 'diff-removed', color: 'gitDecoration.deletedResourceForeground' },
  renamed: { id: 'diff-renamed', color: 'gitDecoration.renamedResourceForeground' },
};

/** The row above a lane's changed files; they are listed when it is opened. */
export function changedFilesItem(lane: LaneView, { t }: Render): ItemView {
  return {
    id: `files ${lane.run} ${lane.lane}`,
    label: t('Changed Files'),
    description: String(lane.changes.files),
    tooltip: t('Files of {0} that differ from the base', lane.lane),
    icon: { id: 'files' },
    words: ['files'],
    children: 'closed',
  };
}

/** The row of one changed file: `invoice.js   src/api · modified`. */
export function changedFileItem(lane: LaneView, file: ChangedFile, { t }: Render): ItemView {
  const slash = file.path.lastIndexOf('/');
  const status = file.from === undefined ? t(file.status) : t('renamed from {0}', file.from);
  return {
    id: `file ${lane.run} ${lane.lane} ${file.path}`,
    label: file.path.slice(slash + 1),
    description: [file.path.slice(0, Math.max(0, slash)), status].filter(Boolean).join(' · '),
    tooltip: file.path,
    icon: icons[file.status],
    words: ['file', file.status],
    children: 'none',
  };
}

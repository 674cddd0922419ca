import type { DiscardPreview } from '../../engine/agentKit.ts';
import { formatBytes } from '../platform/formatBytes.ts';
import type { Translate } from '../platform/render.ts';

/** What a discard would take away, for a dialog. */
export function discardSummary(preview: DiscardPreview, t: Translate): string {
  const { dirty, untracked, ignored, unpushed, unmerged, submodules, processes, not_kept } = preview;
  const inside = submodules.filter((each) => each.dirty || each.unpushed > 0).map((each) => each.path);
  const lines = [
    dirty.length > 0 && t('Changed: {0}', few(dirty, t)),
    untracked.length > 0 && t('Untracked: {0}', few(untracked, t)),
    ignored.files > 0 && t('Ignored: {0} files, {1}', ignored.files, formatBytes(ignored.bytes)),
    unpushed > 0 && t('Commits that no other branch and no remote has: {0}', unpushed),
    unmerged && t('Not all of it is merged into its target.'),
    inside.length > 0 && t('Work in submodules: {0}', few(inside, t)),
    processes.length > 0 && t('Processes that end: {0}', processes.map(({ pid }) => pid).join(', ')),
    preview.branch_fate,
    not_kept.length > 0
      ? t('These cannot be kept, and are lost: {0}', few(not_kept, t))
      : t('All of it is rescued first and can be restored.'),
  ];
  return lines.filter(Boolean).join('\n');
}

function few(names: readonly string[], t: Translate): string {
  const shown = names.slice(0, 8).join(', ');
  return names.length > 8 ? t('{0} and {1} more', shown, names.length - 8) : shown;
}

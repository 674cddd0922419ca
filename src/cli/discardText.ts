import type { DiscardPreview } from '../engine/agentKit.ts';
import { printableName } from './printable.ts';
import { size } from './size.ts';

/** What taking a lane away would mean, for people. */
export function discardText(preview: DiscardPreview): string {
  const { lane, path, branch, dirty, untracked, ignored, unpushed, unmerged } = preview;
  const names = (label: string, paths: readonly string[]) =>
    paths.length === 0
      ? []
      : [`  ${label}: ${paths.slice(0, 10).map(printableName).join(', ')}${more(paths)}`];
  return [
    `${lane}: worktree ${path ?? 'none'}, branch ${branch ?? 'none'}`,
    ...names('changed', dirty),
    ...names('untracked', untracked),
    ...(ignored.files > 0 ? [`  ignored: files ${ignored.files}, ${size(ignored.bytes)}`] : []),
    ...(unpushed > 0 ? [`  commits that no other branch and no remote has: ${unpushed}`] : []),
    ...(unmerged ? ['  its target lacks something of it'] : []),
    ...preview.submodules
      .filter((each) => each.dirty || each.unpushed > 0)
      .map((each) => `  submodule ${printableName(each.path)}: ${submodule(each)}`),
    ...preview.processes.map(
      ({ pid, command, ours }) => `  process ${pid}${ours ? '' : ' (not ours)'}: ${printableName(command)}`,
    ),
    ...preview.not_kept.map((each) => `  cannot be kept: ${printableName(each)}`),
    `  ${preview.branch_fate}`,
    ...preview.why_not.map((reason) => `  refused: ${printableName(reason)}`),
  ].join('\n');
}

function submodule({ dirty, unpushed }: { dirty: boolean; unpushed: number }): string {
  return [...(dirty ? ['changed'] : []), ...(unpushed > 0 ? [`commits not pushed: ${unpushed}`] : [])].join(
    ', ',
  );
}

function more(paths: readonly string[]): string {
  return paths.length > 10 ? ` and ${paths.length - 10} more` : '';
}

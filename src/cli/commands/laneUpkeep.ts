import type { Command } from 'commander';
import type { CleanAnswer, OrphanView, RescueEntry } from '../../engine/agentKit.ts';
import { laneText } from '../laneText.ts';
import { localTime } from '../localTime.ts';
import { printableName } from '../printable.ts';
import type { Session } from '../session.ts';
import { size } from '../size.ts';
import { table } from '../table.ts';

/** Commands of `ak lane` that keep the repository tidy: rescues, closed lanes, processes left behind. */
export function fillLaneUpkeep(lane: Command, session: Session): void {
  lane
    .command('rescues')
    .description('List what was rescued; each is kept until you forget it.')
    .option('--json', 'print rescues-v1')
    .action(async () => {
      const { lanes } = await session.kit();
      const [rescues, putAside] = await Promise.all([lanes.rescues(), lanes.putAside()]);
      session.answer('rescues-v1', { rescues, put_aside: putAside }, () =>
        [
          rescues.length === 0 ? 'Nothing was rescued.' : rescuesTable(rescues),
          ...putAside.map(({ lane, path }) => `put aside of ${lane}: ${printableName(path)}`),
        ].join('\n'),
      );
    });
  lane
    .command('forget')
    .description('Give up a rescue for good; what only it holds cannot be restored afterwards.')
    .argument('<ref>')
    .option('--json', 'print answer-v1')
    .action(async (ref: string) => {
      await (await session.machine()).requirePersonFor('give up a rescue');
      await (await session.kit()).lanes.dropRescue(ref);
      const message = `${ref} is given up.`;
      session.answer('answer-v1', { ok: true, message }, message);
    });
  lane
    .command('clean')
    .description(
      'Take away the worktrees of lanes that are merged or dropped; what is in them is rescued first.',
    )
    .option('--merged', 'only of merged lanes')
    .option('--dry-run', 'only show what it would do')
    .option('--json', 'print clean-v1')
    .action(async ({ merged = false, dryRun = false }: { merged?: boolean; dryRun?: boolean }) => {
      const answer = await (await session.kit()).lanes.clean({ merged, dryRun });
      if (answer.kept.length + answer.left.length + answer.broken.length > 0) session.exitCode = 1;
      session.answer('clean-v1', { ...answer, dry_run: dryRun }, () => cleanText(answer, dryRun));
    });
  lane
    .command('adopt')
    .description(
      'Make lanes by hand of worktrees whose run is lost, as they stand; "ak lane clean" names them.',
    )
    .argument('<lane...>', 'the folder, or the name by which "ak lane clean" tells of it')
    .option('--json', 'print lanes-v1')
    .action(async (which: string[]) => {
      const lanes = await (await session.kit()).lanes.adopt(which);
      if (lanes.some(({ state }) => state !== 'open')) session.exitCode = 1;
      session.answer('lanes-v1', { lanes, unreadable: [] }, () => lanes.map(laneText).join('\n'));
    });
  lane
    .command('orphans')
    .description(
      'List the processes that lanes left behind, and end them; others in their folders are only named.',
    )
    .option('--stop', 'end them, by process id and start time')
    .option('--json', 'print orphans-v1')
    .action(async ({ stop = false }: { stop?: boolean }) => {
      const { lanes } = await session.kit();
      const orphans = await lanes.orphans();
      const stopped = stop ? await lanes.stopOrphans(orphans.filter((each) => each.why_not === null)) : [];
      if (stopped.some(({ result }) => result === 'refused')) session.exitCode = 1;
      session.answer('orphans-v1', { orphans, stopped }, () => orphansText(orphans, stopped));
    });
}

function rescuesTable(rescues: readonly RescueEntry[]): string {
  return table(
    rescues.map(({ ref, at, why, files, bytes, archive }) => [
      ref,
      localTime(at),
      why,
      `files ${files}`,
      size(bytes + (archive?.bytes ?? 0)),
    ]),
  );
}

function cleanText({ removed, kept, pruned, archives, left, broken }: CleanAnswer, dryRun: boolean): string {
  const verb = dryRun ? 'would remove' : 'removed';
  const forgotten = dryRun ? 'would be forgotten' : 'forgotten';
  const lines = [
    ...removed.flatMap(({ lane, path, rescue, branch, left, warnings }) => [
      `${verb} ${lane}: ${path}; its branch is ${branch}${rescue === null ? '' : `; restore it with: ak lane restore ${rescue}`}`,
      ...left.map((each) => `  still there: ${each}`),
      ...warnings.map((each) => `  besides: ${printableName(each)}`),
    ]),
    ...kept.map(({ lane, reasons }) => `kept ${lane}: ${reasons.map(printableName).join(' ')}`),
    ...pruned.map((path) => `${forgotten}, as its folder was deleted: ${printableName(path)}`),
    ...archives.map((path) => `deleted, as no rescue names it: ${printableName(path)}`),
    ...left.map(({ path, why }) => `still there: ${printableName(path)}: ${printableName(why)}`),
    ...broken.map((line) => `the repository is not whole: ${printableName(line)}`),
  ];
  return lines.length === 0 ? 'There is nothing to clean up.' : lines.join('\n');
}

function orphansText(
  orphans: readonly OrphanView[],
  stopped: readonly { pid: number; result: string; why?: string }[],
): string {
  if (orphans.length === 0) return 'No process of a lane was left behind.';
  return table(
    orphans.map(({ pid, run, lane, command, ports, rss_bytes, why_not }) => {
      const end = stopped.find((each) => each.pid === pid);
      return [
        String(pid),
        `${run}/${lane}`,
        size(rss_bytes),
        ports.length === 0 ? '' : `port ${ports.join(', ')}`,
        end === undefined
          ? why_not === null
            ? ''
            : 'not ours'
          : `${end.result}${end.why === undefined ? '' : `: ${end.why}`}`,
        command.slice(0, 80),
      ];
    }),
  );
}

import { counted } from '../counted.ts';
import type { LaneView, RunView } from '../lanes/laneView.ts';
import { codeSpan } from '../safety/codeSpan.ts';
import { escapeMarkdown } from '../safety/escapeMarkdown.ts';
import { noTarget } from './noTarget.ts';
import { renderSpend } from './renderSpend.ts';

/**
 * The report of a run for people, in Markdown. Everything in it stands in the journal. What agents, checks and plans
 * wrote goes through `foreign`: it is text, never a link, a picture or HTML.
 */
export function renderReport(view: RunView, foreign: (text: string) => string = escapeMarkdown): string {
  const count = (state: LaneView['state']) => view.lanes.filter((lane) => lane.state === state).length;
  const head = [
    `# ${foreign(view.name)}: ${view.status}`,
    '',
    `Run ${codeSpan(view.run)}, ${view.created_at} to ${view.updated_at}. Base ${codeSpan(view.base.ref)} at \`${short(view.base.sha)}\`${view.base.how === undefined ? '' : ` (${foreign(view.base.how)})`}, ` +
      (view.target.ref === noTarget
        ? 'no target yet.'
        : `target ${codeSpan(view.target.ref)} now at \`${short(view.target.sha)}\`.`),
    `Merged ${count('merged')}, ready ${count('ready')}, failed ${count('failed')}, other ${view.lanes.length - count('merged') - count('ready') - count('failed')}.`,
    ...gateLine(view, foreign),
    ...(view.base.warnings ?? []).map(foreign),
    ...view.target_moves.map(
      ({ from, to, at }) =>
        `**${foreign(view.target.ref)} was moved by others**: ${short(from)} → ${short(to)} at ${at}.`,
    ),
  ];
  return [
    ...head,
    '',
    ...renderSpend(view, foreign),
    ...view.lanes.flatMap((lane) => laneLines(lane, foreign)),
  ].join('\n');
}

function laneLines(lane: LaneView, foreign: (text: string) => string): string[] {
  const { changes } = lane;
  const checks = [
    ...lane.gate.checks.map((check) => ({ ...check, where: 'lane' })),
    ...lane.merge_gate.checks.map((check) => ({ ...check, where: 'merged tree' })),
  ];
  return [
    `## ${foreign(lane.lane)}: ${lane.state}`,
    '',
    foreign(lane.title),
    '',
    `- Account: ${lane.account ?? 'none'}; branch: ${lane.branch === null ? 'none' : codeSpan(lane.branch)}; head: ${lane.head === null ? 'none' : codeSpan(short(lane.head))}`,
    `- Changes: ${counted(changes.files, 'file')}, +${changes.insertions} −${changes.deletions}, ${counted(changes.commits, 'commit')}`,
    ...lane.attempts.map(
      ({ n, account, outcome, exit, message }) =>
        `- Attempt ${n} under ${account}: ${outcome}, exit ${exit ?? 'none'}${message === null ? '' : ` — ${foreign(message)}`}`,
    ),
    ...checks.flatMap(({ name, status, exit, duration_s, findings, where }) => [
      `- Check ${foreign(name)} (${where}): ${status}, exit ${exit ?? 'none'}, ${duration_s.toFixed(1)} s`,
      ...findings
        .slice(0, 10)
        .map(
          ({ file, line, column, message }) =>
            `  - ${foreign(file ?? '(no file)')}:${line}:${column} ${foreign(message)}`,
        ),
    ]),
    ...(lane.state === 'merged' ? [] : lane.why_not.map((reason) => `- ${foreign(reason)}`)),
    '',
  ];
}

/** A standing run has no gate: each of its lanes is judged by its own. */
function gateLine({ gate }: RunView, foreign: (text: string) => string): string[] {
  if (gate.length === 0) return [];
  return [`Gate: ${gate.map(({ name, run }) => `${foreign(name)} (${codeSpan(run)})`).join(', ')}.`];
}

function short(sha: string): string {
  return sha.slice(0, 10);
}

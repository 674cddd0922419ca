import type { LaneView, RunView } from '../lanes/laneView.ts';

/** The report of a run for people, in Markdown. Everything in it stands in the journal. */
export function renderReport(view: RunView): string {
  const count = (state: LaneView['state']) => view.lanes.filter((lane) => lane.state === state).length;
  const head = [
    `# ${view.name}: ${view.status}`,
    '',
    `Run \`${view.run}\`, ${view.created_at} to ${view.updated_at}. Base \`${view.base.ref}\` at \`${short(view.base.sha)}\`, ` +
      `target \`${view.target.ref}\` now at \`${short(view.target.sha)}\`.`,
    `Merged ${count('merged')}, ready ${count('ready')}, failed ${count('failed')}, other ${view.lanes.length - count('merged') - count('ready') - count('failed')}.`,
    `Gate: ${view.gate.map(({ name, run }) => `${name} (\`${run}\`)`).join(', ')}.`,
    ...view.target_moves.map(
      ({ from, to, at }) =>
        `**${view.target.ref} was moved by others**: ${short(from)} → ${short(to)} at ${at}.`,
    ),
  ];
  return [...head, '', ...view.lanes.flatMap(laneLines)].join('\n');
}

function laneLines(lane: LaneView): string[] {
  const { changes } = lane;
  const checks = [
    ...lane.gate.checks.map((check) => ({ ...check, where: 'lane' })),
    ...lane.merge_gate.checks.map((check) => ({ ...check, where: 'merged tree' })),
  ];
  return [
    `## ${lane.lane}: ${lane.state}`,
    '',
    lane.title,
    '',
    `- Account: ${lane.account ?? 'none'}; branch: ${lane.branch === null ? 'none' : `\`${lane.branch}\``}; head: ${lane.head === null ? 'none' : `\`${short(lane.head)}\``}`,
    `- Changes: ${changes.files} files, +${changes.insertions} −${changes.deletions}, ${changes.commits} commits`,
    ...lane.attempts.map(
      ({ n, account, outcome, exit, message }) =>
        `- Attempt ${n} under ${account}: ${outcome}, exit ${exit ?? 'none'}${message === null ? '' : ` — ${message}`}`,
    ),
    ...checks.map(
      ({ name, status, exit, duration_s, where }) =>
        `- Check ${name} (${where}): ${status}, exit ${exit ?? 'none'}, ${duration_s.toFixed(1)} s`,
    ),
    ...checks.flatMap(({ findings }) =>
      findings
        .slice(0, 10)
        .map(({ file, line, column, message }) => `  - ${file ?? '(no file)'}:${line}:${column} ${message}`),
    ),
    ...(lane.state === 'merged' ? [] : lane.why_not.map((reason) => `- ${reason}`)),
    '',
  ];
}

function short(sha: string): string {
  return sha.slice(0, 10);
}

// @ts-check

/**
 * The demo run in words.
 *
 * @param {import('./runHeadless.mjs').Report} report
 */
export function reportText({ run, dir, target, lanes }) {
  const width = Math.max(...lanes.map((lane) => lane.lane.length));
  const rows = lanes.flatMap((lane) => [
    `  ${lane.lane.padEnd(width)}  ${lane.state}${lane.account ? ` · ${lane.account}` : ''} · ${changesText(lane.changes)}`,
    ...(lane.state === 'merged' ? [] : lane.why_not.map((/** @type {string} */ reason) => `    ${reason}`)),
    ...findingRows(lane),
  ]);
  const merged = lanes.filter((lane) => lane.state === 'merged').length;
  const moved = `${target.ref} moved from ${target.before.slice(0, 8)} to ${target.after.slice(0, 8)}`;
  return [
    `Run ${run}: ${merged} of ${lanes.length} lanes merged; ${moved}`,
    ...rows,
    `The repository: ${dir}`,
    '',
  ].join('\n');
}

/** @param {{ files: number, insertions: number, deletions: number }} changes */
function changesText({ files, insertions, deletions }) {
  return `${files} ${files === 1 ? 'file' : 'files'}, +${insertions} −${deletions}`;
}

/** @param {{ gate: { checks: any[] } }} lane */
function findingRows({ gate }) {
  return gate.checks
    .filter((check) => check.status !== 'passed')
    .flatMap((check) =>
      check.findings.map(
        (/** @type {any} */ { file, line, column, message }) =>
          `    ${check.name}: ${file}:${line}:${column} ${message.split('\n')[0]}`,
      ),
    );
}

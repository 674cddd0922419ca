// @ts-check
import { runAk } from './ak.mjs';
import { reportText } from './reportText.mjs';
import { stopRuns } from './stopRuns.mjs';
import { Interrupted } from './tellFailure.mjs';
import { untilInterrupted } from './untilInterrupted.mjs';

/**
 * Runs the demo plan and merges what passed its gate, through `ak` alone.
 *
 * @param {import('./ak.mjs').Place & { json: boolean }} options
 * @returns {Promise<number>} 0 when every lane was merged, else 1.
 * @throws {Interrupted} On Ctrl+C, after the run was stopped.
 */
export async function runHeadless({ json, ...place }) {
  const report = await untilInterrupted(runAndMerge(place), () => stopRuns(place));
  if (report === 'interrupted') throw new Interrupted('Interrupted; nothing of the demo runs any more.');
  process.stdout.write(json ? `${JSON.stringify(report)}\n` : reportText(report));
  return report.lanes.every((lane) => lane.state === 'merged') ? 0 : 1;
}

/**
 * @typedef {object} Report
 * @property {1} interface
 * @property {'demo-v1'} schema
 * @property {string} run
 * @property {string} dir The demo repository, left as the run made it.
 * @property {{ ref: string, before: string, after: string }} target
 * @property {any[]} lanes One lane-v1 each.
 */

/**
 * @param {import('./ak.mjs').Place} place
 * @returns {Promise<Report>}
 */
async function runAndMerge(place) {
  const started = await ask(place, ['orchestrate', 'start', place.demo.plan, '--yes']);
  for (const lane of started.lanes) {
    if (lane.mergeable) await ask(place, ['lane', 'merge', lane.lane]);
  }
  const ended = await ask(place, ['orchestrate', 'status', started.run]);
  return {
    interface: 1,
    schema: 'demo-v1',
    run: ended.run,
    dir: place.demo.repository,
    target: { ref: ended.target.ref, before: started.base.sha, after: ended.target.sha },
    lanes: ended.lanes,
  };
}

/**
 * @param {import('./ak.mjs').Place} place
 * @param {string[]} args
 */
async function ask(place, args) {
  const { code, answer } = await runAk(place, args);
  if (answer === null || answer.error) {
    throw new Error(
      `ak ${args.join(' ')} failed (exit ${code}): ${answer?.error?.message ?? 'it gave no answer'}`,
    );
  }
  return answer;
}

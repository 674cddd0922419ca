// @ts-check
// `npm test`: build, checks and all test tiers on a bare machine. The last line is `N passed, N failed`.
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { endMarked } from './leftovers.mjs';
import { runCommand } from './runCommand.mjs';
import { tasks } from './tasks.mjs';
import { afterSecondLook, commandForFailed, failuresOf, takeCounts } from './testTier.mjs';
import { prepareToolchain } from './toolchain.mjs';

/** @typedef {{ passed: number, failed: number, note: string }} Outcome */

/** Test tiers in order, with the seconds after which one counts as hanging. */
const tiers = { unit: 600, engine: 1800, agents: 1200, host: 900, ui: 2700 };

const toolchain = prepareToolchain();
const scratch = mkdtempSync(path.join(tmpdir(), 'agentkit-test-'));

/** @type {[string, Outcome][]} */
const outcomes = [];
/** @type {(import('./testTier.mjs').Failure & { heading: string })[]} */
const details = [];
const built = await runAll('build');
outcomes.push(['build', built ? { passed: 0, failed: 0, note: '' } : failure('failed')]);
outcomes.push(['typecheck', await runCheck('typecheck')], ['lint', await runCheck('lint')]);
for (const [tier, ceiling] of Object.entries(tiers)) {
  outcomes.push([tier, built ? await runTier(tier, ceiling) : failure('not started: the build failed')]);
}
rmSync(scratch, { recursive: true, force: true });
report();

/**
 * @param {string} task
 * @returns {Promise<boolean>} True when every command of it succeeded.
 */
async function runAll(task) {
  console.log(`\n== ${task}`);
  let ok = true;
  for (const command of tasks[task] ?? []) ok = (await runCommand(toolchain, command)) === 0 && ok;
  return ok;
}

/**
 * @param {string} task
 * @returns {Promise<Outcome>}
 */
async function runCheck(task) {
  return (await runAll(task)) ? { passed: 1, failed: 0, note: '' } : failure('failed');
}

/**
 * A tier that could not start, ran nothing, broke off or left processes behind has failed, whatever it counted.
 * The few files that fail run once more, alone: a test that passes then is counted as passed, and named in the report.
 *
 * @param {string} tier
 * @param {number} ceiling Seconds.
 * @returns {Promise<Outcome>}
 */
async function runTier(tier, ceiling) {
  if (tier === 'ui' && !(await runAll('package'))) return failure('not started: packaging failed');
  console.log(`\n== ${tier}`);
  const countsFile = path.join(scratch, `${tier}.json`);
  const mark = randomUUID();
  const env = { AGENTKIT_TEST_COUNTS: countsFile, AGENTKIT_TEST_TIER: mark };
  const commands = tasks[tier] ?? [];
  let code = 0;
  for (const command of commands) {
    code = await runCommand(toolchain, command, { env, ceiling });
    if (code !== 0) break;
  }
  const first = takeCounts(countsFile);
  const again = first && commandForFailed(commands.at(-1), first);
  if (again) {
    console.log(`\n== ${tier}, what failed, alone`);
    code = await runCommand(toolchain, again, { env, ceiling });
  }
  const left = await endMarked(`AGENTKIT_TEST_TIER=${mark}`, 10_000);
  if (!first) return failure(`could not start (exit ${code})`);
  const { counts, unsteady } = afterSecondLook(first, again && takeCounts(countsFile));
  const failures = failuresOf(counts);
  const passed = Object.values(counts.files).reduce((sum, file) => sum + file.passed, 0);
  const notes = [
    passed + failures.length === 0 && 'ran no test',
    code !== 0 && failures.length === 0 && `broke off (exit ${code})`,
    left.length > 0 && `left running: ${left.map(({ pid, command }) => `${pid} ${command}`).join('; ')}`,
  ].filter((note) => note !== false);
  const remarks = [
    counts.pending > 0 && `${counts.pending} skipped`,
    unsteady.length > 0 && `${unsteady.length} failed at first and passed alone`,
  ].filter((remark) => remark !== false);
  details.push(...failures.map((one) => ({ ...one, heading: `${tier}: failed` })));
  details.push(...unsteady.map((one) => ({ ...one, heading: `${tier}: failed at first and passed alone` })));
  return { passed, failed: failures.length + notes.length, note: [...notes, ...remarks].join(', ') };
}

/**
 * @param {string} note
 * @returns {Outcome}
 */
function failure(note) {
  return { passed: 0, failed: 1, note };
}

function report() {
  for (const { heading, title, message } of details) console.log(`\n${heading}: ${title}\n${message}`);
  console.log('');
  for (const [name, { passed, failed, note }] of outcomes) {
    const numbers = `${String(passed).padStart(5)} passed ${String(failed).padStart(4)} failed`;
    console.log(`${name.padEnd(10)} ${numbers}${note && `   ${note}`}`);
  }
  const passed = outcomes.reduce((sum, [, outcome]) => sum + outcome.passed, 0);
  const failed = outcomes.reduce((sum, [, outcome]) => sum + outcome.failed, 0);
  console.log(`\n${passed} passed, ${failed} failed`);
  if (failed > 0) process.exitCode = 1;
}

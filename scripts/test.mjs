// @ts-check
// `npm test`: build, checks and all test tiers on a bare machine. The last line is `N passed, N failed`.
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { endMarked } from './leftovers.mjs';
import { runCommand } from './runCommand.mjs';
import { tasks } from './tasks.mjs';
import { prepareToolchain } from './toolchain.mjs';

/** @typedef {{ passed: number, failed: number, note: string }} Outcome */

/** Test tiers in order, with the seconds after which one counts as hanging. */
const tiers = { unit: 600, engine: 1800, agents: 1200, host: 600, ui: 2700 };

const toolchain = prepareToolchain();
const scratch = mkdtempSync(path.join(tmpdir(), 'agentkit-test-'));

/** @type {[string, Outcome][]} */
const outcomes = [];
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
  let code = 0;
  for (const command of tasks[tier] ?? []) {
    code = await runCommand(toolchain, command, { env, ceiling });
    if (code !== 0) break;
  }
  const left = await endMarked(`AGENTKIT_TEST_TIER=${mark}`, 10_000);
  const counts = readCounts(countsFile);
  if (!counts) return failure(`could not start (exit ${code})`);
  const { passed, failed, pending } = counts;
  const notes = [
    passed + failed === 0 && 'ran no test',
    code !== 0 && failed === 0 && `broke off (exit ${code})`,
    left.length > 0 && `left running: ${left.map(({ pid, command }) => `${pid} ${command}`).join('; ')}`,
  ].filter((note) => note !== false);
  const skipped = pending > 0 ? [`${pending} skipped`] : [];
  return { passed, failed: failed + notes.length, note: [...notes, ...skipped].join(', ') };
}

/**
 * @param {string} file
 * @returns {{ passed: number, failed: number, pending: number } | undefined}
 */
function readCounts(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

/**
 * @param {string} note
 * @returns {Outcome}
 */
function failure(note) {
  return { passed: 0, failed: 1, note };
}

function report() {
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

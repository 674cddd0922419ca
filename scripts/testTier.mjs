// @ts-check
// One test tier: what its files came to, after a second look at the few that failed.
import { readFileSync, rmSync } from 'node:fs';

/**
 * @typedef {{ title: string, message: string }} Failure
 * @typedef {{ passed: number, failures: Failure[] }} FileOutcome
 * @typedef {{ pending: number, files: Record<string, FileOutcome> }} Counts What scripts/countingReporter.cjs writes.
 */

/** More files than this that fail are no accident of a busy machine: they are not run again. */
const mostFilesAgain = 5;

/**
 * The command line that runs these files alone, one after the other.
 *
 * @param {string[] | undefined} command The tier's own, whose last word is the pattern of its files.
 * @param {Counts} counts
 * @returns {string[] | undefined} Undefined where there is nothing to run again, or no file to name.
 */
export function commandForFailed(command, counts) {
  const failed = Object.keys(counts.files).filter((file) => counts.files[file]?.failures.length);
  if (!command?.[0]?.includes('mocha') || failed.length === 0 || failed.length > mostFilesAgain)
    return undefined;
  if (failed.includes('')) return undefined;
  return [...command.filter((word) => word !== '--parallel').slice(0, -1), ...failed];
}

/**
 * @param {Counts} first
 * @param {Counts | undefined} second Of the files that failed; undefined when they were not run again.
 * @returns {{ counts: Counts, unsteady: Failure[] }} `unsteady`: failed first, and passed alone.
 */
export function afterSecondLook(first, second) {
  if (!second) return { counts: first, unsteady: [] };
  const counts = { pending: first.pending, files: { ...first.files, ...second.files } };
  const still = new Set(failuresOf(second).map(({ title }) => title));
  return { counts, unsteady: failuresOf(first).filter(({ title }) => !still.has(title)) };
}

/**
 * @param {Counts} counts
 * @returns {Failure[]}
 */
export function failuresOf(counts) {
  return Object.values(counts.files).flatMap(({ failures }) => failures);
}

/**
 * @param {string} file It is gone afterwards, so that the next run can't be taken for this one.
 * @returns {Counts | undefined} Undefined where a tier did not come to its end.
 */
export function takeCounts(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  } finally {
    rmSync(file, { force: true });
  }
}

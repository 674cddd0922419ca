// @ts-check
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { endMarked } from '../leftovers.mjs';
import { runAk } from './ak.mjs';

/** For processes that outlive their run's stop, in milliseconds. */
const patience = 5_000;

/**
 * Stops whatever runs in the demo, and ends what is left of it. Does nothing where all is at rest.
 *
 * @param {import('./ak.mjs').Place} place
 */
export async function stopRuns(place) {
  for (const run of runIds(place.demo.repository)) {
    const { answer } = await runAk(place, ['orchestrate', 'status', run]);
    if (isAtRest(answer)) continue;
    await runAk(place, ['orchestrate', 'stop', run]);
  }
  await endMarked(place.demo.mark, patience);
}

/** @param {string} repository */
function runIds(repository) {
  try {
    return readdirSync(path.join(repository, '.git', 'agentkit', 'runs'));
  } catch {
    return [];
  }
}

/** @param {{ status?: string } | null} answer */
function isAtRest(answer) {
  return answer !== null && ['done', 'failed', 'stopped'].includes(String(answer.status));
}

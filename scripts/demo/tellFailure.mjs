// @ts-check
import { usage } from './parseFlags.mjs';
import { UsageError } from './usageError.mjs';

/** The person's Ctrl+C. */
export class Interrupted extends Error {}

/**
 * Tells why there is no result: in words on stderr, with `--json` as the one object on stdout.
 *
 * @param {unknown} error
 * @param {boolean} json
 * @returns {number} The exit code.
 */
export function tellFailure(error, json) {
  const { reason, code } = classify(error);
  const message = error instanceof Error ? error.message : String(error);
  if (json)
    process.stdout.write(
      `${JSON.stringify({ interface: 1, schema: 'error-v1', error: { reason, message } })}\n`,
    );
  else console.error(reason === 'usage' ? `${message}\n\n${usage}` : message);
  return code;
}

/**
 * Exit codes are those of `ak`; whatever else went wrong, the demo did not run.
 *
 * @param {unknown} error
 */
function classify(error) {
  if (error instanceof UsageError) return { reason: 'usage', code: 2 };
  if (error instanceof Interrupted) return { reason: 'cancelled', code: 5 };
  return { reason: 'internal', code: 70 };
}

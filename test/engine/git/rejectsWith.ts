import assert from 'node:assert/strict';
import { AgentKitError, type ErrorReason } from '../../../src/core/agentKitError.ts';

/** Asserts that a promise rejects with an AgentKitError of this reason whose message has all these parts. */
export async function rejectsWith(
  promise: Promise<unknown>,
  reason: ErrorReason,
  ...parts: (string | RegExp)[]
): Promise<void> {
  await assert.rejects(promise, (error: unknown) => {
    assert.ok(error instanceof AgentKitError, String(error));
    assert.equal(error.reason, reason, error.message);
    for (const part of parts) {
      const found = typeof part === 'string' ? error.message.includes(part) : part.test(error.message);
      assert.ok(found, `"${error.message}" should have ${part}`);
    }
    return true;
  });
}

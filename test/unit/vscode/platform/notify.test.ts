import assert from 'node:assert/strict';
import type { LogOutputChannel } from 'vscode';
import { shown, startOver } from '../fakeEditor.ts';

const { createNotify } = await import('../../../../src/vscode/platform/notify.ts');
const { plainMessage } = await import('../../../../src/vscode/platform/plainMessage.ts');

/** What the editor makes a link of in a message. */
const link = /\[([^\]]+)\]\(((?:https?:\/\/|command:|file:)[^)\s]+)/i;

describe('messages of the editor', () => {
  const notify = createNotify({ show: () => undefined } as unknown as LogOutputChannel);
  const hostile = 'Lane api needs you: [Show fix](command:workbench.action.quit) `x`';
  beforeEach(startOver);

  it('hold no link that an agent wrote', () => {
    assert.match(hostile, link);
    notify.info(hostile);
    notify.warn(hostile);
    notify.error(hostile);
    assert.equal(shown.messages.length, 3);
    for (const message of shown.messages) {
      assert.doesNotMatch(message, link);
      assert.doesNotMatch(message, /`/);
    }
  });

  it('are otherwise left as they are', () => {
    const plain = 'Check test (a) failed: expected [1, 2], got [1] (see log)';
    notify.warn(plain);
    assert.deepEqual(shown.messages, [plain]);
    assert.equal(plainMessage(plain), plain);
  });
});

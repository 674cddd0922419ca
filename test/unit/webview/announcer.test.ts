import assert from 'node:assert/strict';
import { Announcer } from '../../../webview/announcer.ts';

describe('Announcer', () => {
  it('says a burst as sentences, each with one full stop', async () => {
    const said = await new Promise<string>((resolve) => {
      const announcer = new Announcer(resolve, 1);
      announcer.say(['docs: ready']);
      announcer.say(['tax: failed, its gate did not pass.']);
    });
    assert.equal(said, 'docs: ready. tax: failed, its gate did not pass.');
  });
});

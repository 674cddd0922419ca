import assert from 'node:assert/strict';
import { asSentences } from '../../../../src/vscode/commands/asSentences.ts';

describe('asSentences', () => {
  it('ends each reason once, and is empty without any', () => {
    assert.equal(
      asSentences(['it is busy', 'Process 7 works there.', 'why?']),
      'it is busy. Process 7 works there. why?',
    );
    assert.equal(asSentences([]), '');
  });
});

import assert from 'node:assert/strict';
import {
  consentNameProblem,
  continueConsent,
  describeConsent,
  parallelWriters,
} from '../../../../src/core/safety/consentName.ts';

describe('consentNameProblem', () => {
  const vendors = ['claude', 'codex'];

  it('takes what can be consented to, and names it to whoever asks for something else', () => {
    for (const name of [parallelWriters, continueConsent('claude')])
      assert.equal(consentNameProblem(name, vendors), undefined);
    for (const name of ['', 'everything', 'continue:', 'continue:demo', 'continue:claude/@one', 'parallel'])
      assert.match(
        consentNameProblem(name, vendors) ?? 'none',
        /there are parallel-writers, continue:claude, continue:codex/,
        name,
      );
  });

  it('says what each allows', () => {
    assert.match(describeConsent(parallelWriters), /more than one writing agent/);
    assert.match(describeConsent(continueConsent('codex')), /another of your codex accounts/);
  });
});

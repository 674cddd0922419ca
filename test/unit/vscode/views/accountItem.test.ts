import assert from 'node:assert/strict';
import { accountItem } from '../../../../src/vscode/views/accountItem.ts';
import { windowItem } from '../../../../src/vscode/views/windowItem.ts';
import { render, sampleAccount } from '../sampleRuns.ts';

describe('accountItem', () => {
  it('shows the headroom and the reset of the window that binds', () => {
    const item = accountItem(sampleAccount(), [], render);
    assert.equal(item.label, '@one');
    assert.equal(item.description, '62 % · weekly resets Tue 09:00');
    assert.equal(item.icon.id, 'pass');
    assert.deepEqual(item.words, ['account', 'ok']);
  });

  it('says which lane uses it', () => {
    assert.match(accountItem(sampleAccount(), ['api'], render).description, /· used by api$/);
  });

  it('tells an account at its limit, and one that cannot be read', () => {
    const [five, weekly] = sampleAccount().windows;
    const limited = sampleAccount({
      status: 'rate_limited',
      windows: [{ ...five!, used_pct: 100, free_pct: 0 }, weekly!],
    });
    assert.equal(accountItem(limited, [], render).description, 'limit reached · resets 14:30');
    assert.equal(accountItem(limited, [], render).icon.id, 'circle-slash');
    const unknown = sampleAccount({ status: 'unknown', reason: 'usage.json is missing', windows: [] });
    assert.equal(accountItem(unknown, [], render).description, 'usage.json is missing');
    assert.equal(accountItem(unknown, [], render).icon.id, 'question');
    assert.equal(accountItem(unknown, [], render).children, 'none');
  });

  it('warns before an account is empty', () => {
    const [five, weekly] = sampleAccount().windows;
    const low = sampleAccount({ windows: [{ ...five!, used_pct: 95, free_pct: 5 }, weekly!] });
    assert.equal(accountItem(low, [], render).icon.id, 'warning');
  });

  it('puts every window into a table and lets no data become markup', () => {
    const [five] = sampleAccount().windows;
    const odd = sampleAccount({ windows: [{ ...five!, label: '[x](command:y) | <b>' }] });
    const { tooltip, markdown } = accountItem(odd, [], render);
    assert.equal(markdown, true);
    assert.match(tooltip, /▓▓▓▓▓░ \| 80 %/);
    assert.doesNotMatch(tooltip, /\[x\]|<b>|command:/);
    assert.match(tooltip, /Read 3m ago/);
  });
});

describe('windowItem', () => {
  const [five] = sampleAccount().windows;

  it('shows what is free and when it resets', () => {
    const item = windowItem(sampleAccount(), five!, render);
    assert.equal(item.description, '▓▓▓▓▓░ 80 % · resets 14:30, in 2h 30m');
  });

  it('does not claim to know a window that has reset since', () => {
    const past = { ...five!, resets_at: '2026-03-02T11:00:00Z' };
    assert.match(windowItem(sampleAccount(), past, render).description, /has reset 1h ago; not read since$/);
  });

  it('tells a window that has not started', () => {
    assert.match(
      windowItem(sampleAccount(), { ...five!, resets_at: null }, render).description,
      /not started$/,
    );
  });
});

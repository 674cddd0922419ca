import assert from 'node:assert/strict';
import { accountItem } from '../../../../src/vscode/views/accountItem.ts';
import { windowItem } from '../../../../src/vscode/views/windowItem.ts';
import { render, sampleAccount, sampleView } from '../sampleRuns.ts';

describe('accountItem', () => {
  it('shows the headroom and the reset of the window that binds', () => {
    const item = accountItem(sampleView(), [], render);
    assert.equal(item.label, '@one');
    assert.equal(item.description, '62 % · weekly resets Tue 09:00');
    assert.equal(item.icon.id, 'pass');
    assert.deepEqual(item.words, ['account', 'ok', 'included', 'removable']);
  });

  it('says which lane uses it', () => {
    assert.match(accountItem(sampleView(), ['api'], render).description, /· used by api$/);
  });

  it('tells an account at its limit, and one that cannot be read', () => {
    const [five, weekly] = sampleAccount().windows;
    const limited = sampleView({
      status: 'rate_limited',
      windows: [{ ...five!, used_pct: 100, free_pct: 0 }, weekly!],
    });
    assert.equal(accountItem(limited, [], render).description, 'limit reached · resets 14:30');
    assert.equal(accountItem(limited, [], render).icon.id, 'circle-slash');
    const unknown = sampleView({ status: 'unknown', reason: 'usage.json is missing', windows: [] });
    assert.equal(accountItem(unknown, [], render).description, 'usage.json is missing');
    assert.equal(accountItem(unknown, [], render).icon.id, 'question');
    assert.equal(accountItem(unknown, [], render).children, 'none');
  });

  it('warns before an account is empty', () => {
    const [five, weekly] = sampleAccount().windows;
    const low = sampleView({ windows: [{ ...five!, used_pct: 95, free_pct: 5 }, weekly!] });
    assert.equal(accountItem(low, [], render).icon.id, 'warning');
  });

  it('says of an account that was never read how to read it', () => {
    const never = sampleView({
      status: 'unknown',
      reason: 'not read yet: read it with: ak usage',
      unread: true,
      read_at: null,
      age_s: null,
      windows: [],
    });
    const item = accountItem(never, [], render);
    assert.equal(item.description, 'not read yet');
    assert.match(item.tooltip, /Not read yet: Refresh Usage asks the vendor/);
  });

  it('believes a login in this window before an older reading', () => {
    const old = { status: 'not_logged_in', reason: 'it is not logged in' } as const;
    assert.equal(accountItem(sampleView(old), [], render).description, 'not logged in');
    const now = sampleView(old, { login: { status: 'ok' } });
    assert.equal(accountItem(now, [], render).description, 'logged in · not read yet');
    assert.ok(!accountItem(now, [], render).words.includes('not_logged_in'));
    const failed = sampleView(
      {},
      { login: { status: 'not_logged_in', problem: 'log in with: claude auth login' } },
    );
    assert.equal(accountItem(failed, [], render).description, 'not logged in');
    assert.match(accountItem(failed, [], render).tooltip, /claude auth login/);
  });

  it('shows what keeps an account out of picks, and who else is the same login', () => {
    const excluded = accountItem(sampleView({ excluded: true }), [], render);
    assert.match(excluded.description, /^excluded from picks · 62 %/);
    assert.equal(excluded.icon.id, 'eye-closed');
    assert.ok(excluded.words.includes('excluded') && !excluded.words.includes('included'));
    const twin = accountItem(sampleView({}, { sameLogin: ['claude/@work2'] }), [], render);
    assert.match(twin.description, /· same login as @work2$/);
    assert.match(twin.tooltip, /The same login as claude\/@work2: they count as one account/);
  });

  it('offers a row what its kind has', () => {
    const words = (changes: Parameters<typeof sampleView>[1]) =>
      accountItem(sampleView({}, changes), [], render).words;
    assert.ok(words({ hasScreen: true }).includes('hasScreen'));
    assert.ok(!words({}).includes('hasScreen'));
    assert.ok(words({ logsIn: true }).includes('logsIn'));
    assert.ok(!words({ folder: null }).includes('removable'), "a CLI's own home stays");
  });

  it('puts every window into a table and lets no data become markup', () => {
    const [five] = sampleAccount().windows;
    const odd = sampleView({ windows: [{ ...five!, label: '[x](command:y) | <b>' }] });
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
    const item = windowItem('demo/@one', five!, render);
    assert.equal(item.description, '▓▓▓▓▓░ 80 % · resets 14:30, in 2h 30m');
  });

  it('does not claim to know a window that has reset since', () => {
    const past = { ...five!, resets_at: '2026-03-02T11:00:00Z' };
    assert.match(windowItem('demo/@one', past, render).description, /has reset 1h ago; not read since$/);
  });

  it('tells a window that has not started', () => {
    assert.match(windowItem('demo/@one', { ...five!, resets_at: null }, render).description, /not started$/);
  });
});

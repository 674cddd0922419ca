import assert from 'node:assert/strict';
import type { AccountDesk } from '../../../../src/engine/agentKit.ts';
import { startOver } from '../fakeEditor.ts';
import { sampleAccount } from '../sampleRuns.ts';

const { AccountStore } = await import('../../../../src/vscode/stores/accountStore.ts');

describe('AccountStore', () => {
  const asked: unknown[] = [];
  let readings = [sampleAccount()];
  const desk = {
    profiles: () => Promise.resolve([{ kind: 'demo', name: '@one', folder: '/profiles/demo/one' }]),
    read: (request: unknown) => {
      asked.push(request);
      return Promise.resolve(readings);
    },
    leases: () => Promise.resolve([{ account: 'demo/@one', owner: 'run-1/api' }]),
    kinds: () => [],
  } as unknown as AccountDesk;

  beforeEach(() => {
    startOver();
    asked.length = 0;
    readings = [sampleAccount()];
  });

  it('asks for what is known at any age by itself, and anew only when it is told to', async () => {
    const store = new AccountStore(() => desk);
    await store.loadOnce();
    await store.loadOnce();
    await store.noteSession('demo/@one', true);
    assert.deepEqual(asked, [{ maxAgeS: Infinity }, { maxAgeS: Infinity }]);
    await store.refresh('demo');
    assert.deepEqual(asked.slice(2), [{ maxAgeS: 0, kind: 'demo' }, { maxAgeS: Infinity }]);
  });

  it('knows who holds an account, from leases and from terminals of its window', async () => {
    const store = new AccountStore(() => desk);
    await store.noteSession('demo/@one', true);
    assert.deepEqual(store.account('demo/@one')?.heldBy, ['terminal/own', 'run-1/api']);
    await store.noteSession('demo/@one', false);
    assert.deepEqual(store.account('demo/@one')?.heldBy, ['run-1/api']);
  });

  it('tells of the same login, by the vendor and not by the name', async () => {
    const [one] = readings;
    readings = [
      { ...one!, kind: 'claude', identity: 'a' },
      { ...one!, kind: 'claude', profile: '@two', identity: 'a' },
      { ...one!, kind: 'codex', profile: '@two', identity: 'a' },
      { ...one!, kind: 'claude', profile: '@three' },
    ];
    const store = new AccountStore(() => desk);
    await store.loadOnce();
    const same = (name: string) => store.account(name)?.sameLogin;
    assert.deepEqual(same('claude/@one'), ['claude/@two']);
    assert.deepEqual([same('codex/@two'), same('claude/@three')], [[], []]);
  });

  it('tells only of accounts that are different, and of all when one came', async () => {
    const store = new AccountStore(() => desk);
    const told: unknown[] = [];
    store.onDidChange((names) => told.push(names && [...names]));
    await store.load();
    await store.load();
    readings = [sampleAccount({ status: 'rate_limited' })];
    await store.load();
    readings = [...readings, sampleAccount({ profile: '@two' })];
    await store.load();
    assert.deepEqual(told, [undefined, ['demo/@one'], undefined]);
  });
});

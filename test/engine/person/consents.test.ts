import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addConsent, hasConsent, listConsents, removeConsent } from '../../../src/engine/person/consents.ts';
import { rejectsWith } from '../git/rejectsWith.ts';

describe('consents', () => {
  let home: string;
  let environment: Record<string, string>;
  let file: string;
  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), "agentkit it's consent "));
    environment = { HOME: home };
    file = join(home, '.config', 'agentkit', 'consent.json');
  });
  afterEach(() => rmSync(home, { recursive: true }));

  const names = async () => (await listConsents(environment)).map(({ name }) => name);

  it('keeps the word of a person for their eyes alone, and takes it back', async () => {
    assert.equal(await hasConsent(environment, 'parallel-writers'), false);
    await addConsent(environment, 'parallel-writers', ['claude']);
    await addConsent(environment, 'continue:claude', ['claude']);
    await addConsent(environment, 'parallel-writers', ['claude']);
    assert.deepEqual(await names(), ['parallel-writers', 'continue:claude']);
    assert.equal(await hasConsent(environment, 'parallel-writers'), true);
    assert.equal(statSync(file).mode & 0o777, 0o600);
    assert.equal(statSync(join(home, '.config', 'agentkit')).mode & 0o777, 0o700);
    await removeConsent(environment, 'parallel-writers');
    assert.deepEqual(await names(), ['continue:claude']);
    await rejectsWith(removeConsent(environment, 'parallel-writers'), 'not_found', /ak consent ls/);
  });

  it('refuses an agent, which may still take a word back', async () => {
    for (const mark of ['AGENTKIT_LANE', 'CLAUDECODE', 'CODEX_SANDBOX']) {
      const agent = { ...environment, [mark]: '1' };
      await rejectsWith(addConsent(agent, 'parallel-writers', []), 'refused', new RegExp(mark));
    }
    assert.deepEqual(await names(), []);
    await addConsent(environment, 'parallel-writers', []);
    await removeConsent({ ...environment, CLAUDECODE: '1' }, 'parallel-writers');
    assert.deepEqual(await names(), []);
  });

  it('refuses a word that is none', async () => {
    await rejectsWith(
      addConsent(environment, 'continue:demo', ['claude']),
      'invalid_input',
      /parallel-writers/,
    );
  });

  it('believes no file that others may write', async () => {
    await addConsent(environment, 'parallel-writers', []);
    chmodSync(file, 0o620);
    await rejectsWith(hasConsent(environment, 'parallel-writers'), 'refused', /chmod go-w/);
    chmodSync(file, 0o600);
    assert.equal(await hasConsent(environment, 'parallel-writers'), true);
  });

  it('names what is wrong in a damaged file, and writes over none of it', async () => {
    await addConsent(environment, 'parallel-writers', []);
    for (const text of ['{ "version": 1,\n "consents": [', '{"version":2,"consents":[]}']) {
      writeFileSync(file, text);
      await rejectsWith(listConsents(environment), 'invalid_input', /consent\.json is damaged \(.*mv /);
      await rejectsWith(addConsent(environment, 'parallel-writers', []), 'invalid_input', /damaged/);
      assert.equal(readFileSync(file, 'utf8'), text);
    }
  });

  it('loses none of two that are given at once', async () => {
    const vendors = ['a', 'b', 'c', 'd'];
    await Promise.all(vendors.map((kind) => addConsent(environment, `continue:${kind}`, vendors)));
    assert.deepEqual((await names()).sort(), ['continue:a', 'continue:b', 'continue:c', 'continue:d']);
  });

  it('needs a home', async () => {
    await rejectsWith(listConsents({}), 'usage', /HOME is not set/);
  });
});

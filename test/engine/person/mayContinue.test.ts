import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createKinds } from '../../../src/engine/agents/kinds.ts';
import { addConsent, removeConsent } from '../../../src/engine/person/consents.ts';
import { mayContinue } from '../../../src/engine/person/mayContinue.ts';
import { personFiles } from '../../../src/engine/person/personFiles.ts';

describe('going on under another account', () => {
  const home = mkdtempSync(join(tmpdir(), "agentkit word's ü "));
  const environment = { HOME: home, PATH: '/nowhere' };
  const kinds = createKinds({ node: '/opt/node', dist: '/opt/dist', environment });
  const vendors = ['claude', 'codex'];
  const ask = (id: string) => mayContinue(kinds.get(id) ?? assert.fail(), environment);
  after(() => rmSync(home, { recursive: true }));

  for (const id of vendors) {
    it(`takes the person's word for ${id}, and no other's`, async () => {
      const other = vendors.find((one) => one !== id) ?? '';
      await addConsent(environment, 'parallel-writers', vendors);
      await addConsent(environment, `continue:${other}`, vendors);
      assert.match(
        (await ask(id)) ?? '',
        new RegExp(`is yours to say, once: ak consent add continue:${id}$`),
      );
      await addConsent(environment, `continue:${id}`, vendors);
      assert.equal(await ask(id), null);
      await removeConsent(environment, `continue:${id}`);
      assert.notEqual(await ask(id), null, 'it was taken back');
      await removeConsent(environment, `continue:${other}`);
    });

    it(`takes none for ${id} from an agent`, async () => {
      const inside = { ...environment, AGENTKIT_ATTEMPT: 'run/1' };
      await assert.rejects(addConsent(inside, `continue:${id}`, vendors), { reason: 'refused' });
      assert.match((await ask(id)) ?? '', /ak consent add/);
    });
  }

  it('needs none for the embedded demo agent, whose accounts are nobody’s', async () => {
    assert.equal(await ask('demo'), null);
  });

  it('is nothing that the other kinds can do, whatever is said', async () => {
    for (const id of ['pi', 'gemini', 'opencode']) {
      assert.match((await ask(id)) ?? '', /cannot go on under another account/);
    }
  });

  it('is not allowed by a word that cannot be read, or that others may have written', async () => {
    await addConsent(environment, 'continue:claude', vendors);
    assert.equal(await ask('claude'), null);
    const { consents } = personFiles(environment);
    chmodSync(consents, 0o666);
    assert.match((await ask('claude')) ?? '', /cannot be read: /);
    chmodSync(consents, 0o600);
    assert.equal(await ask('claude'), null);
    writeFileSync(consents, '{"version":1');
    assert.match((await ask('claude')) ?? '', /cannot be read: /);
  });
});

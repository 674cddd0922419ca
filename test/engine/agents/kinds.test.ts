import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createKinds } from '../../../src/engine/agents/kinds.ts';

const session = '01a22a26-01a3-7d80-bf0a-35a4a24f482e';

describe('kinds', () => {
  const bin = mkdtempSync(join(tmpdir(), 'agentkit kinds '));
  const create = (path: string) =>
    createKinds({ node: '/opt/node', dist: '/opt/dist', environment: { PATH: path } });
  const kinds = create('/nowhere');
  const installed = create(bin);
  before(() => vendors.forEach(({ id }) => writeFileSync(join(bin, id), '#!/bin/sh\n', { mode: 0o755 })));
  after(() => rmSync(bin, { recursive: true }));
  const vendors = [...kinds.values()].filter(({ id }) => id !== 'demo');

  for (const [id, kind] of kinds) {
    it(`has all of ${id}`, async () => {
      assert.equal(kind.id, id);
      assert.notEqual(kind.label, '');
      assert.deepEqual(kind.parseLine('  '), []);
      assert.equal(kind.parseLine('plain words')[0]?.type, 'progress');
      const usage = await kind.readUsage({ kind: id, name: '@one', folder: '/nowhere' });
      assert.deepEqual([usage.status, usage.windows, typeof usage.reason], ['unknown', [], 'string']);
    });
  }

  for (const kind of vendors) {
    const there = installed.get(kind.id) ?? assert.fail();
    const profile = { kind: kind.id, name: '@one', folder: '/profiles/one' };

    it(`keeps the accounts of ${kind.id} apart, and its own home as it is`, () => {
      const { env } = there.launch(profile, { posture: 'read-only' });
      const own = there.launch({ kind: kind.id, name: '@default', folder: null }, { posture: 'read-only' });
      assert.equal(Object.values(env).includes('/profiles/one'), true);
      assert.equal(Object.keys(own.env).length, Object.keys(env).length - 1);
    });

    it(`starts ${kind.id} with a model and a session, asking and reading only`, () => {
      for (const posture of ['ask', 'read-only'] as const) {
        const { argv } = there.launch(profile, { posture, model: 'some-model', resume: session });
        assert.equal(argv[0], join(bin, kind.id));
        assert.match(argv.join(' '), /some-model/);
        assert.equal(argv.join(' ').includes(session), true);
      }
    });

    it(`does not start ${kind.id} where it is not installed`, () => {
      assert.deepEqual([there.hasDefaultProfile, kind.hasDefaultProfile], [true, false]);
      assert.throws(() => kind.launch(profile, { posture: 'read-only' }), { reason: 'not_installed' });
    });

    it(`says that ${kind.id} is not installed, and how to install it`, async () => {
      const found = await kind.probe?.(
        { kind: kind.id, name: '@one', folder: '/nowhere' },
        { PATH: '/nowhere' },
      );
      assert.deepEqual([found?.version, found?.login], [null, 'unknown']);
      assert.match(found?.problem ?? '', /npm install -g/);
    });
  }
});

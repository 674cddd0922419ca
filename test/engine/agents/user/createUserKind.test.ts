import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { z } from 'zod';
import { createUserKind } from '../../../../src/engine/agents/user/createUserKind.ts';
import { userKindSchema } from '../../../../src/engine/agents/user/userKindSchema.ts';

const simple = { run: ['mytool', 'exec', '{prompt_file}'], result: 'jsonl:$.text' };

describe('kind that a user describes', () => {
  const bin = mkdtempSync(join(tmpdir(), "agentkit tool's ü "));
  const environment = { PATH: bin, MYTOOL_KEY: 'set' };
  const own = { kind: 'mytool', name: '@default', folder: null };
  const profile = { kind: 'mytool', name: '@one', folder: '/profiles/one' };
  const create = (more: Partial<z.input<typeof userKindSchema>> = {}, inherited: object = environment) =>
    createUserKind('mytool', userKindSchema.parse({ ...simple, ...more }), { environment: { ...inherited } });
  const say = (text: string) =>
    writeFileSync(join(bin, 'mytool'), `#!/bin/sh\necho '${text}'\n`, { mode: 0o755 });
  before(() => {
    mkdirSync(bin, { recursive: true });
    say('mytool 1.2.3-beta');
  });
  after(() => rmSync(bin, { recursive: true }));

  it('is started as it is described, under the folder of the account', () => {
    const kind = create({ home_env: 'MYTOOL_HOME', label: 'My tool' });
    const start = kind.launch(profile, { posture: 'auto' });
    assert.deepEqual(start.argv, [join(bin, 'mytool'), 'exec', '{prompt_file}']);
    assert.deepEqual(start.env, { MYTOOL_HOME: '/profiles/one' });
    assert.deepEqual(start.described?.run, simple.run);
    assert.deepEqual(kind.launch(own, { posture: 'auto' }).env, {});
    assert.deepEqual([kind.label, create().label], ['My tool', 'mytool']);
  });

  it('has options where they belong, else at the end', () => {
    const flags = { model: ['-m', '{model}'], resume: ['resume', 'id={session}'] };
    const options = { posture: 'auto', model: 'big', resume: 'abc' } as const;
    assert.deepEqual(create(flags).launch(own, options).argv.slice(2), [
      '{prompt_file}',
      '-m',
      'big',
      'resume',
      'id=abc',
    ]);
    const placed = create({ ...flags, run: ['mytool', '{options}', 'exec'] });
    assert.deepEqual(placed.launch(own, options).argv.slice(1), ['-m', 'big', 'resume', 'id=abc', 'exec']);
    assert.deepEqual(placed.launch(own, { posture: 'auto' }).argv.slice(1), ['exec']);
    const odd = { posture: 'auto', model: '$&{session}' } as const;
    assert.deepEqual(create(flags).launch(own, odd).argv.slice(-1), ['$&{session}']);
    for (const bad of [{ model: '--all' }, { resume: '-x' }, { resume: '' }]) {
      assert.throws(() => create(flags).launch(own, { posture: 'auto', ...bad }), {
        reason: 'invalid_input',
      });
    }
  });

  for (const [posture, key] of [
    ['ask', 'ask'],
    ['read-only', 'read_only'],
  ] as const) {
    it(`is not started with ${posture} where nobody has described how`, () => {
      assert.throws(() => create().launch(own, { posture }), { reason: 'refused', message: new RegExp(key) });
      const told = create({ [key]: ['mytool', '--careful'] }).launch(own, { posture });
      assert.deepEqual(told.argv.slice(1), ['--careful']);
    });
  }

  it('refuses what it is not described to do', () => {
    for (const more of [{ model: 'big' }, { resume: 'abc' }]) {
      assert.throws(() => create().launch(own, { posture: 'auto', ...more }), { reason: 'refused' });
    }
    assert.throws(() => create().launch(profile, { posture: 'auto' }), {
      reason: 'refused',
      message: /home_env/,
    });
    assert.throws(() => create().environment(profile), { reason: 'refused' });
  });

  it('is not started without its program, or a variable that it needs', () => {
    const missing = create({ install: 'npm install -g mytool' }, { PATH: '/nowhere' });
    assert.throws(() => missing.launch(own, { posture: 'auto' }), {
      reason: 'not_installed',
      message: 'There is no program "mytool" on PATH; install it with: npm install -g mytool',
    });
    const needing = { env: ['MYTOOL_KEY'] };
    assert.throws(() => create(needing, { PATH: bin, MYTOOL_KEY: '' }).launch(own, { posture: 'auto' }), {
      reason: 'not_logged_in',
      message: /MYTOOL_KEY/,
    });
    assert.doesNotMatch(JSON.stringify(create(needing).launch(own, { posture: 'auto' })), /"set"/);
  });

  it('tells its version, and what it needs', async () => {
    const version = ['mytool', '--version'];
    const probe = (more: object, inherited: Record<string, string> = environment) =>
      create(more).probe?.(own, inherited);
    assert.deepEqual(await probe({ version }), { version: '1.2.3-beta', login: 'unknown' });
    assert.deepEqual(await probe({}), { version: 'not told', login: 'unknown' });
    const needs = await probe({ version, env: ['MYTOOL_KEY'] }, { PATH: bin });
    assert.deepEqual([needs?.version, needs?.login], ['1.2.3-beta', 'not_logged_in']);
    assert.match(needs?.problem ?? '', /MYTOOL_KEY/);
    const none = await probe({ version }, { PATH: '/nowhere' });
    assert.deepEqual([none?.version, none?.login], [null, 'unknown']);
    const gone = await probe({ version: ['othertool'] });
    assert.match(gone?.problem ?? '', /"othertool"/);
  });

  describe('stream', () => {
    const read = (more: object, ...lines: string[]) =>
      lines.flatMap(create(more).openStream?.() ?? assert.fail());

    it('has the last text at the path as its result, and the session', () => {
      const more = { result: 'jsonl:$.items[0].text', session: '$.id' };
      const line = (text: unknown) => JSON.stringify({ id: 's1', items: [{ text }] });
      assert.deepEqual(read(more, line('Hello.')), [
        { type: 'session', id: 's1' },
        { type: 'progress', line: { kind: 'text', text: 'Hello.' } },
        { type: 'result', ok: true, text: 'Hello.' },
      ]);
      for (const text of ['', 1, null, {}, ['a']]) {
        assert.deepEqual(read(more, line(text)), [{ type: 'session', id: 's1' }]);
      }
    });

    it('has no success without a text there', () => {
      const lines = ['words', '{"text":', '"text"', '{"other":1}', '{"text":7}', '[]', 'null', '{}'];
      assert.deepEqual(
        read({}, '', ...lines).map((signal) => (signal.type === 'progress' ? signal.line : signal)),
        lines.map((text) => ({ kind: 'output', text })),
      );
      const inherited = read({ result: 'jsonl:$.constructor.name' }, '{}');
      assert.equal(inherited[0]?.type, 'progress');
    });

    it('has all that is printed as its result, up to a bound', () => {
      const result = read({ result: 'text' }, 'One.', '', 'Two.').at(-1);
      assert.deepEqual(result, { type: 'result', ok: true, text: 'One.\n\nTwo.' });
      assert.deepEqual(read({ result: 'text' }, '', '  '), []);
      const long = read({ result: 'text' }, ...Array.from({ length: 100 }, () => 'x'.repeat(10_000)));
      const last = long.findLast(({ type }) => type === 'result');
      assert.ok(last?.type === 'result' && last.text.length < 300_000);
    });
  });
});

import assert from 'node:assert/strict';
import {
  appendFileSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { createKinds } from '../../../src/engine/agents/kinds.ts';
import { makeSession } from './sessionFixture.ts';

const session = '01a22be2-09f0-7411-9d3e-bf7999b597ac';
const root = realpathSync(mkdtempSync(join(tmpdir(), "agentkit carry's ü ")));
const cwd = join(root, 'work');
const kinds = createKinds({
  node: '/opt/node',
  dist: '/opt/dist',
  environment: { PATH: '/nowhere', HOME: join(root, 'home') },
});

describe('carrying a session to another account', () => {
  let count = 0;
  /** Folders of the profiles that it comes from and goes to. */
  let from: string;
  let to: string;
  before(() => mkdirSync(cwd));
  beforeEach(() => {
    count += 1;
    [from, to] = [join(root, `from ${count}`), join(root, `to ${count}`)];
    for (const folder of [from, to]) {
      mkdirSync(folder, { mode: 0o700 });
      writeFileSync(join(folder, 'auth.json'), `the login of ${folder}`, { mode: 0o600 });
    }
  });
  after(() => rmSync(root, { recursive: true }));

  for (const kind of ['claude', 'codex', 'demo'] as const) {
    const make = (home = from) => makeSession(kind, { home, session, cwd });
    const carry = (id = session) => {
      const profile = (name: string, folder: string) => ({ kind, name, folder });
      const carried = kinds.get(kind)?.carrySession?.(profile('@from', from), profile('@to', to), id, cwd);
      return carried ?? assert.fail();
    };
    const has = (folder: string) => kinds.get(kind)?.hasSession?.({ kind, name: '@x', folder }, session, cwd);
    /** Where it goes to. */
    const goal = (file: string) => join(to, relative(from, file));
    const refuses = (message: RegExp) => assert.rejects(carry(), { reason: 'refused', message });
    const filesIn = (folder: string) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter((name) => !lstatSync(join(folder, name)).isDirectory())
        .sort();

    it(`copies the file of ${kind} to the same place, for its owner only, and nothing else`, async () => {
      const file = make();
      writeFileSync(join(dirname(file), 'other.jsonl'), 'other');
      const original = readFileSync(file);
      const { mtimeMs } = statSync(file);
      assert.equal(await has(to), false);
      await carry();
      assert.equal(await has(to), true);
      assert.deepEqual(filesIn(to), ['auth.json', relative(from, file)]);
      assert.deepEqual(readFileSync(goal(file)), original);
      assert.equal(readFileSync(join(to, 'auth.json'), 'utf8'), `the login of ${to}`);
      assert.deepEqual([readFileSync(file), statSync(file).mtimeMs], [original, mtimeMs]);
      assert.equal(statSync(goal(file)).mode & 0o777, 0o600);
      for (let folder = dirname(goal(file)); folder !== to; folder = dirname(folder)) {
        assert.equal(statSync(folder).mode & 0o777, 0o700, folder);
      }
    });

    it(`changes nothing of ${kind} when it is done again, also once the session went on there`, async () => {
      const file = make();
      await carry();
      await carry();
      appendFileSync(goal(file), 'what came later\n');
      const later = readFileSync(goal(file));
      await carry();
      assert.deepEqual(readFileSync(goal(file)), later);
    });

    it(`overwrites no other session of that id of ${kind}`, async () => {
      const file = make();
      const there = makeSession(kind, { home: to, session, cwd }, (lines) => `${lines.join('')}other\n`);
      appendFileSync(file, 'its own\n');
      const kept = readFileSync(there);
      await refuses(/is there and is not what .* holds/);
      assert.deepEqual(readFileSync(there), kept);
      // An older state of the same one is not what it would be after carrying it, either.
      writeFileSync(there, readFileSync(file).subarray(0, -3));
      await refuses(/is there and is not what .* holds/);
      appendFileSync(file, '\0'.repeat(50));
      writeFileSync(there, readFileSync(file).subarray(0, -50));
      await refuses(/is there and is not what .* holds/);
      writeFileSync(there, readFileSync(file));
      await carry();
    });

    it(`goes through no link of ${kind}, unless both accounts share the sessions by it`, async () => {
      const file = make();
      const outside = join(root, `outside ${count}`);
      mkdirSync(outside);
      const top = relative(from, file).split('/')[0] ?? '';
      symlinkSync(outside, join(to, top));
      await refuses(/is a link or no folder/);
      assert.deepEqual(readdirSync(outside), []);
      rmSync(join(to, top));
      symlinkSync(join(from, top), join(to, top));
      await carry();
      assert.deepEqual(filesIn(from), ['auth.json', relative(from, file)]);
    });

    it(`takes no link of ${kind} for the file, dangling or not`, async () => {
      const file = make();
      mkdirSync(dirname(goal(file)), { recursive: true });
      symlinkSync(join(root, `nothing ${count}`), goal(file));
      await refuses(/is there and is not what .* holds/);
      assert.equal(existsSync(join(root, `nothing ${count}`)), false);
      rmSync(goal(file));
      mkdirSync(goal(file));
      await refuses(/is there and is not what .* holds/);
      rmSync(goal(file), { recursive: true });
      linkSync(file, goal(file));
      await carry();
    });

    it(`refuses what is no session of ${kind}, or none that can be gone on with`, async () => {
      await assert.rejects(carry(), { reason: 'not_found' });
      makeSession(kind, { home: from, session, cwd }, ([first]) => first);
      await assert.rejects(carry(), {
        reason: 'not_found',
        message: new RegExp(`${kind}/@from .*${session}`),
      });
      await assert.rejects(carry('../../etc'), { reason: 'not_found' });
      assert.deepEqual(filesIn(to), ['auth.json']);
    });

    it(`says why ${kind} cannot be copied, and leaves no half of it`, async () => {
      const file = make();
      const [top = ''] = relative(from, file).split('/');
      writeFileSync(join(to, top), 'a file where its folder would be');
      await refuses(/is a link or no folder/);
      assert.deepEqual(filesIn(to), ['auth.json', top].sort());
      rmSync(to, { recursive: true });
      await assert.rejects(carry(), {
        reason: 'internal',
        message: /@from cannot be copied to .*@to: .*no such file or directory/,
      });
      mkdirSync(to);
      await carry();
    });

    it(`copies a long file of ${kind} whole`, async () => {
      const file = make();
      appendFileSync(file, `${'x'.repeat(1_000_001)}\n`);
      await carry();
      assert.ok(readFileSync(goal(file)).equals(readFileSync(file)));
      await carry();
      const bytes = readFileSync(goal(file));
      bytes[700_000] = 1;
      writeFileSync(goal(file), bytes);
      await refuses(/is not what/);
    });
  }

  it('leaves alone what claude and codex have of that id at another place', async () => {
    const moved = {
      claude: `projects/-another/${session}.jsonl`,
      codex: `sessions/2026/12/01/rollout-2026-12-01T00-00-00-${session}.jsonl`,
    };
    for (const [kind, path] of Object.entries(moved)) {
      makeSession(kind as 'claude' | 'codex', { home: from, session, cwd });
      mkdirSync(dirname(join(to, path)), { recursive: true });
      writeFileSync(join(to, path), 'other');
      const profile = (folder: string) => ({ kind, name: '@x', folder });
      const carried = kinds.get(kind)?.carrySession?.(profile(from), profile(to), session, cwd);
      await assert.rejects(carried ?? assert.fail(), { reason: 'refused', message: /has another file of/ });
      rmSync(join(to, path));
      await kinds.get(kind)?.carrySession?.(profile(from), profile(to), session, cwd);
    }
  });

  it('does not guess which of several files of claude it is', async () => {
    makeSession('claude', { home: from, session, cwd });
    mkdirSync(join(from, 'projects', '-another'));
    writeFileSync(join(from, 'projects', '-another', `${session}.jsonl`), 'other');
    const profile = (folder: string) => ({ kind: 'claude', name: '@x', folder });
    const carried = kinds.get('claude')?.carrySession?.(profile(from), profile(to), session, cwd);
    await assert.rejects(carried ?? assert.fail(), { reason: 'refused', message: /has several files of/ });
  });
});

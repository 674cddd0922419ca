import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createKinds } from '../../../src/engine/agents/kinds.ts';
import { poll } from '../process/stepFixture.ts';

const lane = `/lanes/it's "ü" \\ x`;

describe('a folder that is trusted', function () {
  this.timeout(30_000);
  let home = '';
  let folder = '';
  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), "agentkit it's ü "));
    folder = join(home, 'profile');
    mkdirSync(folder);
  });
  afterEach(() => rmSync(home, { recursive: true }));

  const trust = async (kind: string, inProfile: string | null = folder, path = lane) => {
    const kinds = createKinds({ node: '/n', dist: '/d', environment: { HOME: home } });
    const trustFolder = kinds.get(kind)?.trustFolder;
    assert.ok(trustFolder);
    await trustFolder({ kind, name: inProfile === null ? '@default' : '@one', folder: inProfile }, path);
  };

  for (const { kind, own, file, content, trusted } of [
    {
      kind: 'claude',
      own: '.claude.json',
      file: '.claude.json',
      content: {
        numStartups: 3,
        projects: { '/other': { allowedTools: ['x'], hasTrustDialogAccepted: false } },
      },
      trusted: {
        numStartups: 3,
        projects: {
          '/other': { allowedTools: ['x'], hasTrustDialogAccepted: false },
          [lane]: { hasTrustDialogAccepted: true },
        },
      },
    },
    {
      kind: 'pi',
      own: '.pi/agent/trust.json',
      file: 'trust.json',
      content: { '/other': false },
      trusted: { '/other': false, [lane]: true },
    },
  ]) {
    describe(`by ${kind}`, () => {
      const path = () => join(folder, file);
      const read = () => readFileSync(path(), 'utf8');

      it('is that folder alone, in that profile alone', async () => {
        writeFileSync(path(), `${JSON.stringify(content, undefined, 2)}\n`);
        await trust(kind);
        assert.equal(read(), `${JSON.stringify(trusted, undefined, 2)}\n`);
        assert.deepEqual(readdirSync(folder), [file], 'no lock and no draft is left');
        assert.deepEqual(readdirSync(home), ['profile']);
      });

      it("is written into the CLI's own home without a profile, readable by nobody else", async () => {
        await trust(kind, null);
        const written = join(home, own);
        assert.match(readFileSync(written, 'utf8'), /true/);
        assert.equal(statSync(written).mode & 0o777, 0o600);
        assert.deepEqual(readdirSync(folder), []);
      });

      it('keeps the mode, the layout and numbers that JavaScript cannot hold', async () => {
        writeFileSync(path(), '{"big":12345678901234567890,"small":1.50,"projects":{}}');
        chmodSync(path(), 0o640);
        await trust(kind);
        assert.match(read(), /^\{"big":12345678901234567890,"small":1\.50,.*true\}*$/);
        assert.equal(statSync(path()).mode & 0o777, 0o640);
      });

      it('writes nothing where it is trusted already', async () => {
        writeFileSync(path(), JSON.stringify(trusted));
        utimesSync(path(), 1, 1);
        await trust(kind);
        assert.equal(statSync(path()).mtimeMs, 1000);
      });

      it('follows a link that the person made, and keeps it', async () => {
        const real = join(home, 'dotfiles.json');
        writeFileSync(real, JSON.stringify(content));
        symlinkSync(real, path());
        await trust(kind);
        assert.deepEqual(JSON.parse(readFileSync(real, 'utf8')), trusted);
        assert.equal(readFileSync(path(), 'utf8'), readFileSync(real, 'utf8'));
      });

      for (const [what, text] of [
        ['half a file', '{"projects": {'],
        ['an empty file', ''],
        ['a list', '[]'],
        ['nothing', 'null'],
      ] as const) {
        it(`refuses ${what} and changes nothing`, async () => {
          writeFileSync(path(), text);
          await assert.rejects(trust(kind), { reason: 'invalid_input', message: /is damaged: / });
          assert.equal(read(), text);
          assert.deepEqual(readdirSync(folder), [file]);
        });
      }

      it('waits while the CLI holds its lock, and takes over one that was left behind', async () => {
        const lock = `${path()}.lock`;
        mkdirSync(lock);
        const trusting = trust(kind);
        const until = performance.now() + 300;
        await poll('several looks', 5_000, () => performance.now() > until || undefined);
        assert.deepEqual(readdirSync(folder), [`${file}.lock`], 'it wrote beside the CLI');
        rmSync(lock, { recursive: true });
        await trusting;
        const before = read();
        rmSync(path());
        mkdirSync(lock);
        utimesSync(lock, Date.now() / 1000 - 60, Date.now() / 1000 - 60);
        await trust(kind);
        assert.equal(read(), before);
      });

      it('gives up where the lock stays held', async () => {
        mkdirSync(`${path()}.lock`);
        await assert.rejects(trust(kind), { reason: 'conflict', message: /is in use/ });
        assert.deepEqual(readdirSync(folder), [`${file}.lock`]);
      });
    });
  }

  for (const projects of [[], { [lane]: 'yes' }]) {
    it(`is refused by claude where the file holds ${JSON.stringify(projects)}`, async () => {
      const text = JSON.stringify({ projects });
      writeFileSync(join(folder, '.claude.json'), text);
      await assert.rejects(trust('claude'), { reason: 'invalid_input', message: /is no object/ });
      assert.equal(readFileSync(join(folder, '.claude.json'), 'utf8'), text);
    });
  }

  it('keeps what claude knows of the folder besides', async () => {
    const known = { allowedTools: ['x'], hasTrustDialogAccepted: false };
    writeFileSync(join(folder, '.claude.json'), JSON.stringify({ projects: { [lane]: known } }));
    await trust('claude');
    const written: unknown = JSON.parse(readFileSync(join(folder, '.claude.json'), 'utf8'));
    assert.deepEqual(written, { projects: { [lane]: { ...known, hasTrustDialogAccepted: true } } });
  });

  it('is refused by claude for a linked worktree, and not for a checkout of its own', async () => {
    const repo = join(home, 'repo');
    const lane = join(home, 'lane');
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=T', '-c', 'user.email=t@x', ...args]);
    git('init', '--quiet', repo);
    git('-C', repo, 'commit', '--quiet', '--allow-empty', '-m', 'start');
    git('-C', repo, 'worktree', 'add', '--quiet', lane);
    const below = join(lane, 'below');
    mkdirSync(below);
    for (const path of [lane, below]) {
      await assert.rejects(trust('claude', folder, path), {
        reason: 'refused',
        message: /only together with its repository; .*\/repo$/,
      });
    }
    assert.deepEqual(readdirSync(folder), []);
    await trust('claude', folder, repo);
    assert.deepEqual(JSON.parse(readFileSync(join(folder, '.claude.json'), 'utf8')), {
      projects: { [repo]: { hasTrustDialogAccepted: true } },
    });
  });

  it('is refused by pi where the person said no', async () => {
    writeFileSync(join(folder, 'trust.json'), JSON.stringify({ [lane]: false }));
    await assert.rejects(trust('pi'), { reason: 'refused', message: /\/trust/ });
    assert.deepEqual(JSON.parse(readFileSync(join(folder, 'trust.json'), 'utf8')), { [lane]: false });
  });
});

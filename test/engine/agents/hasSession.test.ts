import assert from 'node:assert/strict';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { createKinds } from '../../../src/engine/agents/kinds.ts';
import { makeOpencodeSession, makeSession, type FileKind } from './sessionFixture.ts';

const session = '01a22be2-09f0-7411-9d3e-bf7999b597ac';
const other = '67a3a89b-0f1d-4642-8866-a3bac68541e3';
const root = realpathSync(mkdtempSync(join(tmpdir(), "agentkit session's ü ")));
const cwd = join(root, 'a place ü');
const elsewhere = join(root, 'elsewhere');
const environment = { PATH: '/nowhere', HOME: join(root, 'home') };
const kinds = createKinds({ node: '/opt/node', dist: '/opt/dist', environment });

/** What each does that is not the same for all. */
const fileKinds: Record<FileKind, { anyFolder: boolean; needsFirst: boolean; ownHome?: string }> = {
  claude: { anyFolder: true, needsFirst: false, ownHome: 'home/.claude' },
  codex: { anyFolder: true, needsFirst: true, ownHome: 'home/.codex' },
  pi: { anyFolder: false, needsFirst: true, ownHome: 'home/.pi/agent' },
  gemini: { anyFolder: false, needsFirst: true, ownHome: 'home' },
  demo: { anyFolder: true, needsFirst: true },
};

describe('a session to go on with', () => {
  let count = 0;
  let home: string;
  before(() => [cwd, elsewhere].forEach((folder) => mkdirSync(folder)));
  beforeEach(() => mkdirSync((home = join(root, `profile ${(count += 1)}`))));
  after(() => rmSync(root, { recursive: true }));

  const ask = (kind: string, id = session, place = cwd, folder: string | null = home) =>
    kinds.get(kind)?.hasSession?.({ kind, name: '@one', folder }, id, place);

  for (const [kind, { anyFolder, needsFirst, ownHome }] of Object.entries(fileKinds) as [
    FileKind,
    (typeof fileKinds)[FileKind],
  ][]) {
    const make = (change?: Parameters<typeof makeSession>[2]) =>
      makeSession(kind, { home, session, cwd }, change);

    it(`is one of ${kind} that is there, in its own profile and no other`, async () => {
      make();
      assert.equal(await ask(kind), true);
      assert.equal(await ask(kind, other), false);
      assert.equal(await ask(kind, session, cwd, join(root, 'nobody')), false);
    });

    it(`is none of ${kind} where there are no sessions at all`, async () => {
      assert.equal(await ask(kind), false);
    });

    it(`is one of ${kind} from ${anyFolder ? 'every folder' : 'the folder it began in only'}`, async () => {
      make();
      assert.equal(await ask(kind, session, elsewhere), anyFolder);
      symlinkSync(cwd, join(root, `link ${count}`));
      assert.equal(await ask(kind, session, join(root, `link ${count}`)), true);
    });

    it(`is none of ${kind} in which the person said nothing`, async () => {
      make(([first]) => first);
      assert.equal(await ask(kind), false);
      make(([first, , answer]) => first + answer);
      assert.equal(await ask(kind), false);
      make(() => '');
      assert.equal(await ask(kind), false);
    });

    it(`is one of ${kind} whose end a crash tore, as for the CLI`, async () => {
      make((lines) => lines.join('').slice(0, -9));
      assert.equal(await ask(kind), true);
      make((lines) => `${lines.join('')}${'\0'.repeat(50)}`);
      assert.equal(await ask(kind), true);
      make(([first, said]) => first + said.slice(0, -9));
      assert.equal(await ask(kind), false, 'what was said is torn');
    });

    it(`${needsFirst ? 'is none' : 'is one'} of ${kind} without its beginning, as for the CLI`, async () => {
      make(([, said, answer]) => `hello\n${said}${answer}`);
      assert.equal(await ask(kind), !needsFirst);
    });

    it(`is none of ${kind} that is a link or a folder`, async () => {
      const file = make();
      renameSync(file, `${file}.kept`);
      symlinkSync(`${file}.kept`, file);
      assert.equal(await ask(kind), false);
      rmSync(file);
      mkdirSync(file);
      assert.equal(await ask(kind), false);
    });

    it(`is none of ${kind} that an id leads out of its folder for`, async () => {
      const file = make();
      writeFileSync(join(dirname(file), '..', basename(file)), 'x');
      for (const id of ['../x', `../${session}`, '', '*', `${session}/..`, '-x']) {
        assert.equal(await ask(kind, id), false, id);
      }
    });

    if (ownHome !== undefined)
      it(`is one of ${kind} in the CLI's own home`, async () => {
        assert.equal(await ask(kind, session, cwd, null), false);
        makeSession(kind, { home: join(root, ownHome), session, cwd });
        assert.equal(await ask(kind, session, cwd, null), true);
      });
  }

  it('is none of codex and pi in whose first record another one stands', async () => {
    for (const kind of ['codex', 'pi', 'gemini'] as const) {
      makeSession(kind, { home, session, cwd }, (lines) => lines.join('').replaceAll(session, other));
      assert.equal(await ask(kind), false, kind);
    }
  });

  it('is the one of the folder itself where claude has several, and none without that', async () => {
    const file = makeSession('claude', { home, session, cwd });
    makeSession('claude', { home, session, cwd: elsewhere });
    assert.equal(await ask('claude'), true);
    renameSync(dirname(file), join(home, 'projects', '-gone'));
    assert.equal(await ask('claude'), false);
    assert.equal(await ask('claude', session, elsewhere), true);
  });

  it('is none of pi where several files have its id', async () => {
    const file = makeSession('pi', { home, session, cwd });
    copyFileSync(file, join(dirname(file), `2026-11-29T09-56-06-493Z_${session}.jsonl`));
    assert.equal(await ask('pi'), false);
  });

  it('is one of gemini that its file tells in one record', async () => {
    makeSession('gemini', { home, session, cwd }, ([first, said]) => {
      const all = JSON.stringify({ $set: { messages: [{ type: 'gemini' }, JSON.parse(said) as object] } });
      return `${first}${all}\n`;
    });
    assert.equal(await ask('gemini'), true);
    makeSession('gemini', { home, session, cwd }, ([first, said]) =>
      [first, said.replace('The word', '<session_context>')].join(''),
    );
    assert.equal(await ask('gemini'), false, 'Gemini itself said that');
  });

  it('is one of opencode that its database tells, in the folder it began in only', async () => {
    assert.equal(await ask('opencode'), false);
    makeOpencodeSession({ home, session, cwd });
    assert.equal(await ask('opencode'), true);
    assert.equal(await ask('opencode', other), false);
    assert.equal(await ask('opencode', session, elsewhere), false);
    assert.equal(await ask('opencode', "' OR 1=1 --"), false);
    assert.equal(await ask('opencode', session, join(root, 'gone')), false);
  });

  it('is none of opencode without words of the person, or in a database that is none', async () => {
    makeOpencodeSession({ home, session, cwd }, 'assistant');
    assert.equal(await ask('opencode'), false);
    writeFileSync(join(home, 'data', 'opencode', 'opencode.db'), 'no database');
    assert.equal(await ask('opencode'), false);
  });
});

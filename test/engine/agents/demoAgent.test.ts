import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { DemoLine } from '../../../src/engine/agents/demoStream.ts';
import { makeSourceDist } from '../process/sourceDist.ts';

describe('demo agent', function () {
  this.timeout(30_000);
  const root = mkdtempSync(join(tmpdir(), "agentkit demo's ü "));
  const dist = makeSourceDist(root);
  let work = '';
  let count = 0;
  beforeEach(() => {
    work = join(root, `work ${(count += 1)}`);
    mkdirSync(work);
  });
  after(() => rmSync(root, { recursive: true }));

  async function run(prompt: string, signalAfter?: RegExp) {
    const child = spawn(process.execPath, [join(dist, 'demoAgent.js')], {
      cwd: work,
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    child.stdin.end(prompt);
    if (signalAfter) {
      child.stdout.on('data', (data) => signalAfter.test(String(data)) && child.kill('SIGTERM'));
    }
    const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
    const [stdout, stderr, exit] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
    assert.equal(stderr, '');
    const lines = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as DemoLine);
    const result = lines.findLast((line) => line.type === 'result');
    return { exit, lines, result };
  }

  const block = (yaml: string) =>
    `Do this piece.\n\n\`\`\`demo\n${yaml}\n\`\`\`\n\n---\nYou may write: any file.\n`;
  const file = (path: string) => readFileSync(join(work, path), 'utf8');

  it('says first that it is no AI', async () => {
    const { lines } = await run(block('- say: hi'));
    assert.equal(lines[0]?.type, 'init');
    assert.match(JSON.stringify(lines[1]), /AgentKit's embedded demo agent.*no AI/);
  });

  it('writes, appends, replaces and removes', async () => {
    writeFileSync(join(work, 'old.txt'), 'x');
    const { exit, result, lines } = await run(
      block(`
- say: starting
- wait: 0.01
- write: { path: src/a b/ü.txt, content: "one\\n" }
- append: { path: src/a b/ü.txt, content: "two $& \\n" }
- replace: { path: src/a b/ü.txt, find: one, with: "$& three" }
- remove: old.txt`),
    );
    assert.equal(exit, 0);
    assert.deepEqual([result?.ok, result?.usage.input_tokens], [true, 0]);
    assert.equal(file('src/a b/ü.txt'), '$& three\ntwo $& \n');
    assert.equal(existsSync(join(work, 'old.txt')), false);
    const tools = lines.filter((line) => line.type === 'tool').map((line) => line.name);
    assert.deepEqual(tools, ['write', 'append', 'replace', 'remove']);
  });

  it('commits what it touched and nothing else', async () => {
    const git = (...args: string[]) => execFileSync('git', args, { cwd: work, encoding: 'utf8' });
    git('init', '--quiet');
    git('config', 'user.name', 'Test');
    git('config', 'user.email', 'test@example.com');
    writeFileSync(join(work, 'stray.txt'), 'not mine');
    const { exit, lines } = await run(
      block('- write: { path: "a*.txt", content: a }\n- commit: "Add a, it\'s ü"'),
    );
    assert.equal(exit, 0);
    assert.deepEqual(lines.at(-2), { type: 'tool', name: 'commit', message: "Add a, it's ü" });
    assert.equal(git('log', '--format=%s', '--name-only'), "Add a, it's ü\n\na*.txt\n");
    const nothing = await run(block('- commit: empty'));
    assert.match(nothing.result?.text ?? '', /nothing to commit/);
  });

  it('ends as its prompt says', async () => {
    const { exit, result } = await run(block('- exit: 5\n- write: { path: never.txt, content: x }'));
    assert.deepEqual([exit, result?.ok], [5, false]);
    assert.equal(existsSync(join(work, 'never.txt')), false);
    assert.deepEqual([(await run(block('- exit: 0'))).exit], [0]);
  });

  it('can be ended while it waits, and then claims nothing', async () => {
    const { exit, result } = await run(block('- say: waiting\n- wait: 600'), /waiting/);
    assert.deepEqual([exit, result], [null, undefined]);
  });

  it('waits for an answer that it asked for, as long as it takes, and takes the answer away', async () => {
    const asks = block('- ask: { for: trust, text: Is it yours?, answer: yes.txt }');
    const open = await run(asks, /waiting/);
    assert.deepEqual([open.exit, open.result], [null, undefined]);
    assert.deepEqual(open.lines.at(-1), { type: 'waiting', reason: 'trust', text: 'Is it yours?' });
    writeFileSync(join(work, 'yes.txt'), '');
    const answered = await run(asks);
    assert.deepEqual([answered.exit, answered.result?.ok], [0, true]);
    assert.deepEqual(readdirSync(work), []);
  });

  it('takes a note that says what it is when there is no block', async () => {
    const { exit } = await run('Fix the ümlaut bug: now!\nMore about it\n\n---\nYou may write: notes/**.\n');
    assert.equal(exit, 0);
    assert.deepEqual(readdirSync(join(work, 'notes')), ['fix-the-umlaut-bug-now.md']);
    const note = file('notes/fix-the-umlaut-bug-now.md');
    assert.match(note, /^# Fix the ümlaut bug: now!\n/);
    assert.match(note, /no AI/);
    assert.match(note, /^> More about it$/m);
    assert.doesNotMatch(note, /You may write/);
  });

  const refused: [string, string, RegExp][] = [
    ['broken YAML', '- say: "open\n- wait: 1', /demo block, line \d/],
    [
      'a step that it does not know',
      '- say: hi\n- dance: wildly',
      /demo block, line 2: 1: must be one of say, wait/,
    ],
    ['a block that is no list', 'say: hi', /demo block, line 1: /],
    ['an empty block', '', /demo block, line 1: /],
    [
      'a text to replace that is not there',
      '- replace: { path: here.txt, find: absent, with: x }',
      /here\.txt does not contain.*"absent"/,
    ],
    [
      'a file that is not there',
      '- replace: { path: gone.txt, find: a, with: b }',
      /gone\.txt cannot be read/,
    ],
    ['removing what is not there', '- remove: gone.txt', /gone\.txt cannot be removed/],
    ['a path that leaves the folder', '- write: { path: ../out.txt, content: x }', /leads out/],
    [
      'an answer outside of the folder',
      '- ask: { for: trust, text: Mine?, answer: ../yes.txt }',
      /leads out/,
    ],
    ['a question of no sort that there is', '- ask: { for: fun, text: Eh? }', /demo block, line 1/],
    ['an absolute path', `- write: { path: /tmp/agentkit-demo-out.txt, content: x }`, /leads out/],
    ['a link that leaves the folder', '- write: { path: link/out.txt, content: x }', /leads out/],
    ['a dangling link that leaves the folder', '- write: { path: dangling, content: x }', /leads out/],
    ['the git folder', '- write: { path: .git/hooks/pre-commit, content: x }', /leads out/],
  ];
  for (const [what, yaml, message] of refused) {
    it(`refuses ${what}`, async () => {
      writeFileSync(join(work, 'here.txt'), 'present');
      symlinkSync(root, join(work, 'link'));
      symlinkSync(join(root, 'out.txt'), join(work, 'dangling'));
      const { exit, result } = await run(block(yaml));
      assert.deepEqual([exit, result?.ok], [1, false]);
      assert.match(result?.text ?? '', message);
      assert.equal(existsSync(join(root, 'out.txt')), false);
    });
  }

  it('refuses two blocks and an empty prompt', async () => {
    assert.match(
      (await run(block('- say: a') + block('- say: b'))).result?.text ?? '',
      /more than one demo block/,
    );
    assert.match((await run('\n')).result?.text ?? '', /prompt is empty/);
  });

  it('writes through a link that stays inside', async () => {
    mkdirSync(join(work, 'real'));
    symlinkSync('real', join(work, 'inner'));
    assert.equal((await run(block('- write: { path: inner/a.txt, content: x }'))).exit, 0);
    assert.equal(file('real/a.txt'), 'x');
  });
});

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { recorded } from '../agents/claude/recorded.ts';
import { RunWorld } from './runWorld.ts';

const awkward = '`rm` $(touch pwned) "it\'s" \\n %s ü 🎈 \u202e ${HOME} <b>&amp;\n\n\ttab\n--json @two -\n';

describe('the prompt of ak run', function () {
  this.timeout(60_000);
  let world: RunWorld;
  beforeEach(() => (world = new RunWorld()));
  afterEach(() => world.dispose());

  /** What the agent got on its standard input, as a hash: it may be no text. */
  function hashInput(): () => string {
    const text = 'require("node:crypto").createHash("sha256").update(fs.readFileSync(seen)).digest("hex")';
    world.answer({
      during: `
        const seen = require('node:path').join(process.cwd(), 'got');
        fs.writeFileSync('hash', ${text.replace('fs.readFileSync(seen)', 'globalThis.gotInput')});
        process.stdout.write(${JSON.stringify(recorded('success.jsonl'))});`,
      first: `
        const readFileSync = fs.readFileSync;
        fs.readFileSync = (file, encoding) => {
          if (file !== 0) return readFileSync(file, encoding);
          globalThis.gotInput = readFileSync(0);
          return '';
        };`,
    });
    return () => readFileSync(join(world.repo, 'hash'), 'utf8');
  }

  const sha = (bytes: string | Buffer) => createHash('sha256').update(bytes).digest('hex');

  it('arrives as it is from an argument, standard input and a file, and is in no argument list', async () => {
    const file = join(world.root, 'prompt file.md');
    writeFileSync(file, awkward);
    for (const [args, input] of [
      [['--', awkward], ''],
      [['--', '-'], awkward],
      [['--prompt-file', file], ''],
    ] as const) {
      const answer = await world.run(['claude', '@work', ...args], { input });
      assert.equal(answer.exit, 0, answer.error?.message);
      const call = world.prompts().at(-1);
      assert.equal(call?.prompt, awkward);
      assert.doesNotMatch(call.args.join(' '), /touch|pwned/);
      const launch = readFileSync(join(answer.run_folder ?? '', 'launch.json'), 'utf8');
      assert.doesNotMatch(launch, /touch pwned/);
    }
  });

  it('may be words without quotes', async () => {
    await world.run(['claude', '@work', '--', 'Explain', '--the', '@tests', '-']);
    assert.equal(world.prompts().at(-1)?.prompt, 'Explain --the @tests -');
  });

  it('may be 10 MB of any bytes, from a file and from standard input', async () => {
    const got = hashInput();
    const bytes = randomBytes(10_000_000);
    const file = join(world.root, 'bytes');
    writeFileSync(file, bytes);
    assert.equal((await world.run(['claude', '@work', '--prompt-file', file])).exit, 0);
    assert.equal(got(), sha(bytes));
    writeFileSync(join(world.repo, 'hash'), '');
    assert.equal((await world.run(['claude', '@work', '--', '-'], { input: bytes })).exit, 0);
    assert.equal(got(), sha(bytes));
  });

  it('is refused with 2 when it is empty, missing, given twice, or has no end; nothing is started', async () => {
    const file = join(world.root, 'p.md');
    writeFileSync(file, ' \n\t\n');
    const wrong: [string[], RegExp][] = [
      [['--', ''], /prompt is empty/],
      [['--', ' \n'], /prompt is empty/],
      [['--', '-'], /prompt is empty/],
      [['--prompt-file', file], /prompt is empty/],
      [['--'], /There is no prompt; put it behind --/],
      [[], /There is no prompt/],
      [['--prompt-file', file, '--', 'x'], /given twice/],
    ];
    for (const [args, message] of wrong) {
      const answer = await world.run(['claude', '@work', ...args]);
      assert.deepEqual([answer.exit, answer.error?.reason], [2, 'usage'], args.join(' '));
      assert.match(answer.error?.message ?? '', message);
    }
    const child = spawn(
      '/bin/sh',
      ['-c', 'yes | "$@"', 'sh', process.execPath, 'dist/ak.js', 'run', 'claude', '--', '-'],
      {
        cwd: join(import.meta.dirname, '..', '..', '..'),
        env: world.environment,
      },
    );
    let err = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
    assert.deepEqual(await once(child, 'close'), [2, null]);
    assert.match(err, /longer than 16 MiB/);
    assert.deepEqual(world.standIn.calls(), []);
  });

  it('is missed with 3 when its file is not there, and with 2 when that is a folder', async () => {
    mkdirSync(join(world.root, 'folder'));
    const missing = await world.run(['claude', '@work', '--prompt-file', join(world.root, 'none.md')]);
    assert.deepEqual([missing.exit, missing.error?.reason], [3, 'not_found']);
    assert.match(missing.error?.message ?? '', /none\.md/);
    assert.equal((await world.run(['claude', '@work', '--prompt-file', join(world.root, 'folder')])).exit, 2);
  });

  it('is in no message, also when its place on the command line was wrong', async () => {
    for (const words of [['SECRET-WORDS'], ['@work', 'SECRET-WORDS', 'more']]) {
      const { code, err } = await world.ak(['run', 'claude', ...words]);
      assert.equal(code, 2);
      assert.match(err, /at most a profile.*behind --/);
      assert.doesNotMatch(err, /SECRET/);
    }
    world.answer({ run: '', exit: 1 });
    const { err } = await world.ak(['run', 'claude', '@work', '--', 'SECRET-WORDS']);
    assert.doesNotMatch(err, /SECRET/);
  });
});

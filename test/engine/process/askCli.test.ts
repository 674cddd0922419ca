import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { askCli, type Question } from '../../../src/engine/process/askCli.ts';
import { poll } from './stepFixture.ts';
import { platform } from '../../../src/engine/process/platform/platform.ts';

describe('askCli', function () {
  this.timeout(30_000);
  const root = mkdtempSync(join(tmpdir(), "agentkit it's ü "));
  const noted = join(root, 'pid');
  after(() => rmSync(root, { recursive: true }));

  const ask = (code: string, more: Partial<Question> = {}) =>
    askCli({
      argv: [process.execPath, '-e', code],
      inherited: { PATH: process.env['PATH'] },
      env: {},
      ...more,
    });
  const noteChild = `const child = require('child_process').spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'inherit' });
    require('fs').writeFileSync(${JSON.stringify(noted)}, String(child.pid));`;
  const childEnds = () =>
    poll(
      'the end of its child',
      5_000,
      () => platform.find(Number(readFileSync(noted, 'utf8'))) === null || undefined,
    );

  it('gives lines, exit code and the last error line', async () => {
    const answer = await ask('console.log("a\\nb"); console.error("one\\n\\ntwo\\n"); process.exitCode = 3');
    assert.deepEqual(answer, { lines: ['a', 'b'], error: 'two', exit: 3, timedOut: false });
  });

  it('keeps standard input open until the answer, and reads nothing after it', async () => {
    const code = `process.stdin.once('data', (data) => console.log(String(data).trim() + '\\nlater'));
      process.stdin.once('end', () => process.exit(0))`;
    const answer = await ask(code, { input: 'hello\n', isAnswer: (line) => line === 'hello' });
    assert.deepEqual(answer.lines, ['hello']);
    assert.equal(answer.exit, 0);
  });

  it('passes the environment on without what belongs to vendors, and sets what it is told', async () => {
    const inherited = { PATH: process.env['PATH'], LANG: 'C', ANTHROPIC_API_KEY: 'k', OPENAI_API_KEY: 'k' };
    const code = 'console.log(JSON.stringify(Object.keys(process.env)))';
    const { lines } = await ask(code, { inherited, env: { CODEX_HOME: '/x' } });
    const names = new Set(JSON.parse(lines[0] ?? '[]') as string[]);
    assert.ok(names.has('LANG') && names.has('CODEX_HOME'));
    assert.ok(!names.has('ANTHROPIC_API_KEY') && !names.has('OPENAI_API_KEY'));
  });

  it('ends what takes too long, asked or not, and what it started', async () => {
    const deaf = `${noteChild} process.on('SIGTERM', () => {}); setInterval(() => {}, 1000);`;
    const answer = await ask(deaf, { timeoutMs: 500 });
    assert.deepEqual([answer.timedOut, answer.exit], [true, null]);
    await childEnds();
  });

  it('ends what is left of its group once it has ended by itself', async () => {
    const answer = await ask(`${noteChild} child.unref(); console.log('done'); process.exit(0)`);
    assert.deepEqual([answer.lines, answer.timedOut], [['done'], false]);
    await childEnds();
  });

  it('stops what floods', async () => {
    const flood = 'for (;;) require("fs").writeSync(1, "x".repeat(65536))';
    const answer = await ask(flood);
    assert.equal(answer.timedOut, false);
    assert.notEqual(answer.exit, 0);
  });

  it('keeps the values of secrets, and what looks like one, out of what it tells', async () => {
    const inherited = { PATH: process.env['PATH'], MY_TOKEN: 'tok-4711-secret', EDITOR: 'harmless-word' };
    const shown = '`${process.env.MY_TOKEN} ${process.env.EDITOR}`';
    const answer = await ask(`console.log(${shown}); console.error(${shown} + ' npm_' + 'a'.repeat(36))`, {
      inherited,
    });
    assert.deepEqual(answer.lines, ['[redacted] harmless-word']);
    assert.equal(answer.error, '[redacted] harmless-word [redacted]');
  });

  it('hides a secret of a vendor that is withheld from the CLI itself', async () => {
    const inherited = { PATH: process.env['PATH'], OPENAI_API_KEY: 'key-of-another-login' };
    const answer = await ask('console.log("config has key-of-another-login")', { inherited });
    assert.deepEqual(answer.lines, ['config has [redacted]']);
  });

  it('rejects for a program that cannot be started', async () => {
    await assert.rejects(ask('', { argv: [join(root, 'no such program')] }), /ENOENT/);
  });
});

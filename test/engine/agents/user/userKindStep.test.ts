import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { z } from 'zod';
import { createUserKind } from '../../../../src/engine/agents/user/createUserKind.ts';
import { userKindSchema } from '../../../../src/engine/agents/user/userKindSchema.ts';
import { StepFixture } from '../../process/stepFixture.ts';

const prompt = '`rm` $(touch pwned) "it\'s" \\n ü 🎈\n{prompt_file}\n';

describe('step of a kind that a user describes', function () {
  this.timeout(60_000);
  let fixture: StepFixture;
  before(() => {
    fixture = new StepFixture();
    mkdirSync(join(fixture.root, 'bin'));
    fixture.environment['PATH'] = `${join(fixture.root, 'bin')}:${process.env['PATH']}`;
  });
  after(() => fixture.close());

  /** Runs a tool that is a JavaScript program; its arguments begin at `process.argv[2]`. */
  async function run(code: string, definition: Partial<z.input<typeof userKindSchema>>) {
    const { environment, root } = fixture;
    writeFileSync(join(root, 'bin', 'tool.js'), code);
    const words = [process.execPath, join(root, 'bin', 'tool.js')].map((word) => `"${word}"`);
    writeFileSync(join(root, 'bin', 'mytool'), `#!/bin/sh\nexec ${words.join(' ')} "$@"\n`, { mode: 0o755 });
    const kind = createUserKind(
      'mytool',
      userKindSchema.parse({ run: ['mytool', '{prompt_file}'], result: 'jsonl:$.text', ...definition }),
      { environment },
    );
    const folder = fixture.folder();
    mkdirSync(folder, { recursive: true });
    const file = join(folder, 'prompt.md');
    writeFileSync(file, prompt);
    const profile = { kind: 'mytool', name: '@default', folder: null };
    const { argv, env, described } = kind.launch(profile, { posture: 'auto' });
    assert.ok(described);
    return fixture.run(
      fixture.launch({ role: 'agent', kind: 'mytool', user_kind: described, argv, env, stdin_file: file }),
      folder,
    );
  }

  const seen = () => JSON.parse(readFileSync(join(fixture.root, 'seen.json'), 'utf8')) as unknown;
  const look = `
    const fs = require('node:fs');
    const input = fs.readFileSync(0, 'utf8');
    const [, , file] = process.argv;
    fs.writeFileSync('seen.json', JSON.stringify({ input, file: file && fs.readFileSync(file, 'utf8') }));
    console.log(JSON.stringify({ id: 's1', text: 'The work is done.' }));`;

  it('gets its prompt in a file where its arguments say so, and its answer is read as described', async () => {
    const result = await run(look, { session: '$.id' });
    assert.deepEqual(
      [result.outcome, result.result_text, result.session_id],
      ['succeeded', 'The work is done.', 's1'],
      result.message,
    );
    assert.deepEqual(seen(), { input: '', file: prompt });
  });

  it('gets it by standard input where they do not', async () => {
    const result = await run(look, { run: ['mytool'], result: 'text' });
    assert.equal(result.outcome, 'succeeded', result.message);
    assert.deepEqual(seen(), { input: prompt });
  });

  it('has not succeeded without an answer, or with another exit code', async () => {
    const silent = await run('console.log("{}")', {});
    assert.deepEqual([silent.outcome, silent.exit], ['failed', 0]);
    assert.match(silent.message ?? '', /no success record/);
    const failed = await run(`${look}\nprocess.exitCode = 3;`, {});
    assert.deepEqual([failed.outcome, failed.exit], ['failed', 3]);
  });
});

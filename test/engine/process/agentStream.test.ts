import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { stepFiles } from '../../../src/engine/store/paths.ts';
import { StepFixture } from './stepFixture.ts';

const agent = { role: 'agent', kind: 'demo' } as const;
const success = {
  type: 'result',
  ok: true,
  text: 'Done.',
  usage: { input_tokens: 3, output_tokens: 4, cost_usd: 0.5 },
};
const print = (value: object) => `console.log(${JSON.stringify(JSON.stringify(value))});`;

describe('supervisor of an agent', function () {
  this.timeout(60_000);
  let fixture: StepFixture;
  before(() => (fixture = new StepFixture()));
  after(() => fixture.close());

  it('succeeds with exit 0 and a success record, and collects session, text and usage', async () => {
    const folder = fixture.folder();
    const code =
      print({ type: 'init', session_id: 's-1' }) + print({ type: 'text', text: 'hello' }) + print(success);
    const result = await fixture.run(fixture.script(code, agent), folder);
    assert.equal(result.outcome, 'succeeded');
    assert.equal(result.session_id, 's-1');
    assert.equal(result.result_text, 'Done.');
    assert.deepEqual(result.usage, success.usage);
    assert.equal(result.truncated, false);
    assert.deepEqual(
      fixture.transcript(folder).map(({ kind, text }) => [kind, text]),
      [
        ['text', 'hello'],
        ['text', 'Done.'],
      ],
    );
  });

  it('takes the last message for the answer where the record of success has no text, and only there', async () => {
    const said = print({ type: 'text', text: 'first' }) + print({ type: 'text', text: 'the answer' });
    const ended = await fixture.run(fixture.script(said + print({ ...success, text: '' }), agent));
    assert.deepEqual([ended.outcome, ended.result_text], ['succeeded', 'the answer']);
    const broken = await fixture.run(fixture.script(said, agent));
    assert.deepEqual([broken.outcome, broken.result_text], ['failed', undefined]);
  });

  it('fails with exit 0 but no success record, and shows the last error line', async () => {
    const result = await fixture.run(fixture.script('console.error("Not logged in")', agent));
    assert.equal(result.outcome, 'failed');
    assert.equal(result.exit, 0);
    assert.match(result.message ?? '', /exit code 0: its stream has no success record; Not logged in/);
  });

  it('fails when the record says so, and when only the exit code does', async () => {
    const said = await fixture.run(
      fixture.script(print({ ...success, ok: false, text: 'Cannot do it' }), agent),
    );
    assert.deepEqual([said.outcome, said.exit], ['failed', 0]);
    assert.match(said.message ?? '', /Cannot do it/);
    const exited = await fixture.run(fixture.script(`${print(success)} process.exitCode = 7`, agent));
    assert.deepEqual([exited.outcome, exited.exit], ['failed', 7]);
  });

  it('does not take half a record at the end of the stream for a success, but a whole one without line end', async () => {
    const half = JSON.stringify(success).slice(0, -5);
    const write = (text: string) => `process.stdout.write(${JSON.stringify(text)})`;
    const result = await fixture.run(fixture.script(write(half), agent));
    assert.equal(result.outcome, 'failed');
    assert.match(result.message ?? '', /no success record/);
    const whole = await fixture.run(fixture.script(write(JSON.stringify(success)), agent));
    assert.equal(whole.outcome, 'succeeded');
  });

  it('never takes an end by a signal for a success', async () => {
    const result = await fixture.run(
      fixture.script(`${print(success)} process.kill(process.pid, "SIGKILL")`, agent),
    );
    assert.deepEqual([result.outcome, result.exit, result.signal], ['failed', null, 'SIGKILL']);
    assert.equal(result.not_started, undefined);
  });

  it('shows unknown lines and bytes that are not UTF-8 as they are', async () => {
    const folder = fixture.folder();
    const code = `process.stdout.write(Buffer.from([0x61, 0xff, 0xfe, 0x62, 0x0a])); console.log("{\\"type\\":\\"new\\"}");`;
    const result = await fixture.run(fixture.script(code + print(success), agent), folder);
    assert.equal(result.outcome, 'succeeded');
    const shown = fixture.transcript(folder).map(({ kind, text }) => [kind, text]);
    assert.deepEqual(shown.slice(0, 2), [
      ['output', 'a\uFFFD\uFFFDb'],
      ['output', '{"type":"new"}'],
    ]);
  });

  it('cuts an endless line and a long transcript, and still sees the record after them', async () => {
    const folder = fixture.folder();
    const flood =
      'process.stdout.write("y".repeat(20_000_000) + "\\n"); console.log(("z".repeat(200) + "\\n").repeat(90_000));';
    const result = await fixture.run(fixture.script(flood + print(success), agent), folder);
    assert.equal(result.outcome, 'succeeded');
    assert.equal(result.truncated, true);
    assert.ok(statSync(stepFiles(folder).transcript).size < 9 * 1024 * 1024);
    const notes = fixture.transcript(folder).filter((line) => line.kind === 'note');
    assert.match(notes[0]?.text ?? '', /reached its bound/);
  });

  it('keeps 64 KiB of a result text', async () => {
    const code = print({ ...success, text: 'ü'.repeat(40_000) });
    const result = await fixture.run(fixture.script(code, agent));
    assert.equal(Buffer.byteLength(result.result_text ?? ''), 64 * 1024);
    assert.equal(result.truncated, true);
  });

  it('refuses a kind that is not known, by its name', async () => {
    const result = await fixture.run(fixture.script(print(success), { role: 'agent', kind: 'martian' }));
    assert.equal(result.outcome, 'failed');
    assert.match(result.message ?? '', /"martian"/);
  });
});

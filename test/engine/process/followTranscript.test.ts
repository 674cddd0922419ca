import assert from 'node:assert/strict';
import { appendFileSync } from 'node:fs';
import { followTranscript } from '../../../src/engine/process/followTranscript.ts';
import type { TranscriptLine } from '../../../src/engine/process/launch.ts';
import { readStep } from '../../../src/engine/process/steps.ts';
import { stepFiles } from '../../../src/engine/store/paths.ts';
import { poll, StepFixture, untilDead } from './stepFixture.ts';

describe('following a transcript', function () {
  this.timeout(60_000);
  let fixture: StepFixture;
  before(() => (fixture = new StepFixture()));
  after(() => fixture.close());

  it('waits for the step, gives lines live and each once, and ends with the step', async () => {
    const folder = fixture.folder();
    const lines: string[] = [];
    const following = followTranscript(folder, ({ text }) => lines.push(text), new AbortController().signal);
    const code =
      'console.log("one"); require("fs").writeFileSync("go.pid", String(process.pid)); const t = setInterval(() => require("fs").existsSync("go") && (console.log("two"), clearInterval(t)), 20)';
    await fixture.start(fixture.script(code), folder);
    await poll('the first line', 20_000, () => (lines.includes('one') ? true : undefined));
    assert.equal((await readStep(folder)).result, undefined);
    appendFileSync(`${fixture.root}/go`, '');
    await following;
    assert.deepEqual(lines, ['one', 'two']);
    assert.equal((await readStep(folder)).state, 'ended');
  });

  it('gives everything of a step that has ended', async () => {
    const folder = fixture.folder();
    await fixture.run(fixture.script('for (let i = 0; i < 3000; i++) console.log(`line ${i} ü`)'), folder);
    const lines: TranscriptLine[] = [];
    await followTranscript(folder, (line) => lines.push(line), new AbortController().signal);
    assert.equal(lines.length, 3000);
    assert.equal(lines.at(-1)?.text, 'line 2999 ü');
  });

  it('ends when the supervisor is lost, and leaves out a torn last line', async () => {
    const folder = await fixture.start(fixture.script('console.log("kept"); setTimeout(() => {}, 30_000)'));
    const lines: string[] = [];
    const following = followTranscript(folder, ({ text }) => lines.push(text), new AbortController().signal);
    await poll('the line', 20_000, () => (lines.length > 0 ? true : undefined));
    const { status } = await readStep(folder);
    process.kill(status!.supervisor.pid, 'SIGKILL');
    await untilDead(status!.supervisor);
    appendFileSync(stepFiles(folder).transcript, '{"at":"2026');
    await following;
    assert.deepEqual(lines, ['kept']);
  });

  it('ends with the signal', async () => {
    const control = new AbortController();
    const following = followTranscript(
      fixture.folder(),
      () => assert.fail('there is nothing to give'),
      control.signal,
    );
    control.abort();
    await following;
  });
});

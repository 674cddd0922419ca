import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { platform } from '../../src/engine/process/platform/platform.ts';
import { until } from '../host/suite/until.ts';
import { carelessProgram, carePlan } from './carePlan.ts';
import { JourneyWindow, work } from './journeyWindow.ts';

/** How long an agent is at work, in seconds: longer than all of this takes. */
const long = 900;

/** One person in one window who makes, discards, restores and talks to lanes. Each station builds on those before. */
describe('the care of lanes in one window', function () {
  this.timeout(work);
  let window: JourneyWindow;
  let broken = false;

  before(async () => {
    window = await JourneyWindow.open();
    writeFileSync(window.file('scripts/watch.mjs'), carelessProgram(servers()));
    window.git('add', 'scripts/watch.mjs');
    window.git('commit', '--quiet', '-m', 'Watch the notes');
    writeFileSync(window.file('plans/care.yaml'), carePlan({ seconds: long }));
    await window.workbench.runCommand('View: Show AgentKit');
    await window.workbench.runAndPick('AgentKit: Start Plan', 'plans/care.yaml');
    // Once the board is there, it takes the focus from no question.
    await window.seeCard('import', 'running', work);
  });
  after(() => window?.dispose());
  beforeEach(function () {
    if (broken) this.skip();
  });
  afterEach(async function () {
    if (this.currentTest?.state !== 'failed') return;
    broken = true;
    await window.workbench.screenshot('care-failed');
  });

  it('makes a lane by hand', async () => {
    const { workbench } = window;
    await workbench.runUntil('AgentKit: Create Lane…', workbench.quickInput.getByText(/Its branch is/));
    await workbench.quickInput.getByRole('textbox').fill('Not A Name');
    await window.see('why not', workbench.quickInput.getByText(/Use lower-case letters/));
    await workbench.screenshot('care-01-create');
    await workbench.answer('by-hand');
    await window.seeLane('by-hand', 'open', work);
    await workbench.screenshot('care-02-created');
    assert.equal(git('rev-parse', '--abbrev-ref', 'HEAD').trim(), 'lane/by-hand');
  });

  const idea = Buffer.from([0, 255, 10, 13, 10, 200]);

  it('discards it after showing what is in it', async () => {
    const { workbench } = window;
    writeFileSync(inLane('idea.bin'), idea);
    appendFileSync(inLane('README.md'), 'Half a sentence\r\n');
    appendFileSync(inLane('src/tax.mjs'), '// staged\n');
    git('add', 'src/tax.mjs');
    const question = window.dialog.getByText('Discard by-hand?');
    await workbench.runUntil('AgentKit: Discard Lane…', question, 'by-hand');
    const said = await window.dialog.innerText();
    for (const part of [/Changed: .*README\.md/, /Untracked: idea\.bin/, /rescued first and can be restored/])
      assert.match(said, part);
    await workbench.screenshot('care-03-discard');
    await window.dialog.getByRole('button', { name: 'Discard Lane', exact: true }).click();
    await window.seeLane('by-hand', 'dropped', work);
    assert.equal(existsSync(inLane('.')), false);
    await workbench.screenshot('care-04-discarded');
  });

  it('brings it back with the same bytes', async () => {
    const { workbench } = window;
    await workbench.runAndPick('AgentKit: Restore Lane…', 'by-hand');
    await window.seeLane('by-hand', 'open', work);
    assert.deepEqual(readFileSync(inLane('idea.bin')), idea);
    assert.match(readFileSync(inLane('README.md'), 'utf8'), /Half a sentence\r\n$/);
    assert.equal(git('status', '--porcelain'), ' M README.md\nM  src/tax.mjs\n?? idea.bin\n');
    await workbench.screenshot('care-05-restored');
  });

  it('tells in the tooltip of a lane at work what its processes take', async () => {
    await window.seeLane('import', 'running', work);
    const uses = /Uses now: [\d.]+ \wB of memory · .+ of CPU · \d+ processes?/;
    const tooltip = window.workbench.page.locator('.monaco-hover:visible').getByText(uses);
    await until('the tooltip', async () => {
      await window.workbench.page.mouse.move(700, 12);
      await window.workbench.treeItem(/^import, /).hover();
      return tooltip.waitFor({ timeout: 5000 }).then(
        () => true,
        () => false,
      );
    });
    await window.workbench.screenshot('care-06-tooltip');
    await window.workbench.page.mouse.move(700, 12);
  });

  it('sends a message to an agent that has ended, which goes on in its own session', async () => {
    const { workbench } = window;
    await window.seeLane('rounding', 'ready', work);
    const question = workbench.quickInput.getByText(/goes on in its own session/);
    await workbench.runUntil('AgentKit: Send Message…', question, 'rounding');
    await workbench.screenshot('care-07-message');
    await workbench.answer('rounding: say thanks');
    await until('a second attempt that ended', async () => {
      const { attempts, state } = await window.ak.lane('rounding');
      return state === 'ready' && attempts.length === 2;
    });
    const { attempts } = await window.ak.lane('rounding');
    assert.equal(new Set(attempts.map(({ session_id }) => session_id)).size, 1, 'one session');
    await window.seeLane('rounding', 'ready');
  });

  it('lists what a lane left running, and ends it', async () => {
    const { workbench } = window;
    const left = readFileSync(servers(), 'utf8').trim().split(' ').map(Number);
    assert.equal(left.length, 2, 'one of each run of the gate');
    assert.ok(left.every(isAlive));
    const entries = left.map((pid) => workbench.quickInput.getByText(`rounding: process ${pid}`));
    await workbench.runUntil('AgentKit: Stop Orphans…', entries[0]!);
    await window.see('the other process', entries[1]!);
    await window.see('a port', workbench.quickInput.getByText(/port \d+/));
    await workbench.screenshot('care-08-orphans');
    await workbench.quickInput.getByRole('button', { name: 'OK' }).click();
    await window.see('that they are stopped', window.notifications.getByText('Stopped 2 processes.'));
    assert.ok(!left.some(isAlive));
    await workbench.screenshot('care-09-stopped');
  });

  const servers = () => `${window.demo.repository}-servers`;
  const inLane = (name: string) => path.join(`${window.demo.repository}-lanes`, 'by-hand', name);

  function git(...args: string[]): string {
    return execFileSync('git', ['-C', inLane('.'), ...args], { encoding: 'utf8' });
  }
});

function isAlive(pid: number): boolean {
  return platform.find(pid)?.zombie === false;
}

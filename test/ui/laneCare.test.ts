import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { until } from '../host/suite/until.ts';
import { carePlan } from './carePlan.ts';
import { JourneyWindow, work } from './journeyWindow.ts';

/** How long an agent is at work, in seconds: longer than all of this takes. */
const long = 900;
/** In which views that are there tell the truth, in milliseconds: two seconds, and what a busy machine takes besides. */
const truthIn = 10_000;

/** One person in one window who makes, tells, discards, restores and cleans up lanes. Each station builds on those before. */
describe('the care of lanes in one window', function () {
  this.timeout(work);
  let window: JourneyWindow;
  let broken = false;
  const started: ChildProcess[] = [];

  before(async () => {
    window = await JourneyWindow.open();
    writeFileSync(window.file('plans/care.yaml'), carePlan(long));
    await window.workbench.page.getByRole('tab', { name: 'AgentKit' }).click();
    await window.drag([350, 450], [190, 0]);
    await window.workbench.runAndPick('AgentKit: Start Plan', 'plans/care.yaml');
  });
  after(async () => {
    for (const child of started) child.kill('SIGKILL');
    await window?.dispose();
  });
  beforeEach(function () {
    if (broken) this.skip();
  });
  afterEach(async function () {
    if (this.currentTest?.state !== 'failed') return;
    broken = true;
    await window.workbench.screenshot('care-failed');
  });

  it('tells in the tooltip of a lane at work what its processes take', async () => {
    await window.seeLane('import', 'running', work);
    const uses = /Uses now: [\d.]+ \wB of memory · .+ of CPU · \d+ processes?/;
    const tooltip = window.workbench.page.locator('.monaco-hover:visible').getByText(uses);
    await until('the tooltip', async () => {
      await window.workbench.page.mouse.move(700, 12);
      await row('import').hover();
      return tooltip
        .waitFor({ timeout: 5000 })
        .then(() => true)
        .catch(() => false);
    });
    await window.workbench.screenshot('care-01-tooltip');
  });

  it('sends a message to an agent that has ended, which goes on in its own session', async () => {
    await window.seeLane('rounding', 'ready', work);
    await choose('rounding', 'Send Message…');
    await window.see('the question', window.workbench.quickInput.getByText(/goes on in its own session/));
    await window.picture('care-02-message');
    await window.workbench.answer('rounding: say thanks');
    await until('a second attempt that ended', async () => {
      const { attempts, state } = await window.ak.lane('rounding');
      return state === 'ready' && attempts.length === 2;
    });
    const { attempts } = await window.ak.lane('rounding');
    assert.equal(new Set(attempts.map(({ session_id }) => session_id)).size, 1, 'one session');
    await window.seeLane('rounding', 'ready');
  });

  it('lists what a lane left running, and ends it', async () => {
    const step = path.join(folderOf('rounding'), readdirSync(folderOf('rounding'))[0]!);
    const mark = `${path.basename(path.join(step, '../../..'))}/rounding/1`;
    const server = leave(laneOf('rounding'), { AGENTKIT_ATTEMPT: mark, AGENTKIT_STEP: step });
    const entry = window.workbench.quickInput.getByText(`rounding: process ${server.pid}`);
    await asked('AgentKit: Stop Orphans…', async () => entry.waitFor({ timeout: 10_000 }));
    await window.picture('care-03-orphans');
    await window.workbench.page.keyboard.press('Enter');
    await window.see('that it is stopped', window.notifications.getByText(/^Stopped/));
    await until('its end', () => server.signalCode !== null || server.exitCode !== null);
  });

  it('refuses to discard a lane in which somebody works, and names the process', async () => {
    const shell = leave(laneOf('rounding'), {});
    await choose('rounding', 'Discard Lane…');
    const refusal = window.notifications.getByText(new RegExp(`rounding cannot be discarded.*${shell.pid}`));
    await window.see('the process', refusal);
    assert.doesNotMatch(
      await refusal.innerText(),
      /ak\.js/,
      'the terminal that shows its agent is nobody at work',
    );
    await window.picture('care-04-refused');
    shell.kill('SIGKILL');
    await window.workbench.runCommand('Notifications: Clear All Notifications');
  });

  it('discards a lane after it has shown what is in it, and brings it back', async () => {
    const mine = path.join(laneOf('rounding'), 'idea.txt');
    writeFileSync(mine, 'half an idea\n');
    await choose('rounding', 'Discard Lane…');
    await window.see('the question', window.dialog.getByText('Discard rounding?'));
    const said = await window.dialog.innerText();
    assert.match(said, /idea\.txt/);
    assert.match(said, /rescued first/);
    await window.picture('care-05-discard');
    await window.workbench.page.getByRole('button', { name: 'Discard Lane', exact: true }).click();
    const restore = window.notifications.getByRole('button', { name: 'Restore Lane' });
    await window.see('the way back', restore, work);
    await window.seeLane('rounding', 'dropped');
    assert.equal(existsSync(mine), false);
    await window.picture('care-06-discarded');
    await restore.click();
    await window.seeLane('rounding', 'open', work);
    assert.equal(readFileSync(mine, 'utf8'), 'half an idea\n');
    await window.picture('care-07-restored');
    await window.workbench.runCommand('Notifications: Clear All Notifications');
  });

  it('makes a lane by hand', async () => {
    const { quickInput } = window.workbench;
    await asked('AgentKit: Create Lane…', () =>
      quickInput.getByText(/Its branch is/).waitFor({ timeout: 10_000 }),
    );
    await quickInput.getByRole('textbox').fill('Not A Name');
    await window.see('why not', quickInput.getByText(/Use lower-case letters/));
    await window.picture('care-08-create');
    await window.workbench.answer('by-hand');
    await window.seeLane('by-hand', 'open', work);
    assert.match(window.git('branch', '--list', 'lane/by-hand'), /lane\/by-hand/);
  });

  it('cleans up the worktrees of closed lanes', async () => {
    await window.pressInRow('changelog', 'Review and Merge…');
    await window.workbench.page.getByRole('button', { name: 'Merge', exact: true }).click();
    await window.seeLane('changelog', 'merged', work);
    await window.workbench.runCommand('AgentKit: Clean Up Lanes…');
    await window.see('the question', window.dialog.getByText(/Remove the worktree/));
    assert.match(await window.dialog.innerText(), /changelog/);
    await window.picture('care-09-clean');
    await window.workbench.page.getByRole('button', { name: 'Remove Worktree' }).click();
    await until('it is gone', () => !existsSync(laneOf('changelog')));
    assert.ok(existsSync(laneOf('by-hand')), 'open lanes stay');
    await window.see('what was done', window.notifications.getByText(/^Removed/));
  });

  it('tells the truth when the window comes back after agent and supervisor were killed', async () => {
    const { page } = window.workbench;
    await page.goto('about:blank');
    for (const pid of processesOf('import')) process.kill(pid, 'SIGKILL');
    await window.workbench.load();
    await window.workbench.runCommand('View: Show AgentKit');
    await row('import').waitFor();
    const shown = performance.now();
    await window.seeLane('import', 'interrupted');
    const waited = performance.now() - shown;
    assert.ok(waited < truthIn, `shown after ${Math.round(waited)} ms`);
    await window.picture('care-10-back');
    await window.pressInRow('import', 'Retry Lane');
    await window.seeLane('import', 'running', work);
    assert.equal((await window.ak.lane('import')).attempts.length, 2);
  });

  const row = (lane: string) => window.workbench.treeItem(new RegExp(`^${lane}, `));
  const laneOf = (lane: string) => path.join(`${window.demo.repository}-lanes`, lane);

  /** The folder of what ran in a lane of the plan. */
  function folderOf(lane: string): string {
    const runs = window.file('.git/agentkit/runs');
    const run = readdirSync(runs).find((name) => name !== 'manual')!;
    return path.join(runs, run, 'lanes', lane);
  }

  /** A command that asks; the editor may close a question when it hands the focus back, and it is then asked again. */
  async function asked(title: string, look: () => Promise<unknown>): Promise<void> {
    await until(title, async () => {
      await window.workbench.runCommand(title);
      return look().then(
        () => true,
        () => false,
      );
    });
  }

  /** An entry of the menu of a lane's row. */
  async function choose(lane: string, entry: string): Promise<void> {
    const item = window.workbench.page.getByRole('menuitem', { name: entry });
    await until(`${entry} of ${lane}`, async () => {
      await row(lane).click({ button: 'right' });
      return item.click({ timeout: 10_000 }).then(
        () => true,
        () => false,
      );
    });
    await window.workbench.page.mouse.move(700, 12);
  }

  /** A process that works in a folder until it is ended. */
  function leave(cwd: string, env: Record<string, string>): ChildProcess {
    const child = spawn('sleep', ['1000'], { cwd, env: { ...process.env, ...env }, stdio: 'ignore' });
    started.push(child);
    return child;
  }

  /** Supervisor and agent of a lane's first attempt. */
  function processesOf(lane: string): number[] {
    const step = path.join(folderOf(lane), readdirSync(folderOf(lane))[0]!);
    const read = (name: string) => readFileSync(path.join(step, name), 'utf8');
    const all = `${read('claim')} ${read('processes.json')}`;
    return [...new Set([...all.matchAll(/"pid":\s*(\d+)/g)].map(([, pid]) => Number(pid)))];
  }
});

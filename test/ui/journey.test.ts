import assert from 'node:assert/strict';
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { until } from '../host/suite/until.ts';
import { JourneyWindow, work } from './journeyWindow.ts';
import { overlappingPlan } from './journeyPlans.ts';
import { seriousFindings } from './seriousFindings.ts';

const lanes = ['discounts', 'thousands', 'reduced-tax'];

/** One person in one window, from the accounts to the merged branch. Each station builds on those before it. */
describe('the whole journey in one window', function () {
  this.timeout(2 * work);
  let window: JourneyWindow;
  let broken = false;

  before(async () => {
    window = await JourneyWindow.open();
  });
  after(() => window?.dispose());
  beforeEach(function () {
    if (broken) this.skip();
  });
  afterEach(async function () {
    if (this.currentTest?.state !== 'failed') return;
    broken = true;
    await window.workbench.screenshot('journey-failed');
  });

  it('shows accounts with headroom and reset, and reads them again when asked', async () => {
    const { ak, demo, workbench } = window;
    await workbench.page.getByRole('tab', { name: 'AgentKit' }).click();
    // Wide enough to read the rows.
    await window.drag([350, 450], [90, 0]);
    const one = workbench.treeItem(/^@one, 55 % · weekly resets \w{3} \d\d:\d\d/);
    await window.see('@one with 55 % and its reset', one);
    await window.see('@two with 78 %', workbench.treeItem(/^@two, 78 % · weekly resets/));
    assert.equal(await ak.picks(), '@two @one @three');
    await window.picture('01-accounts');

    const usage = `${demo.repository}-accounts/profiles/demo/one/usage.json`;
    writeFileSync(usage, readFileSync(usage, 'utf8').replace('"used_pct": 20', '"used_pct": 60'));
    await workbench.runCommand('AgentKit: Refresh Usage');
    await window.see('@one with 40 % once edited', workbench.treeItem(/^@one, 40 % · 5h resets/));
    assert.equal(await ak.picks(), '@two @three @one', 'the picks follow the new reading');
  });

  it('previews a plan on the board: jobs, paths, accounts, checks', async () => {
    const { board } = window;
    await window.fanOut('plans/demo.yaml');
    await board.of('demo');
    await window.see('the checks that will decide', board.part(/^Gate/).getByText('npm run lint'));
    await window.seeCard('discounts', 'planned, demo/@two, 78 % free');
    await window.seeCard('thousands', 'planned, demo/@three, 45 % free');
    await window.seeCard('reduced-tax', 'planned, demo/@one, 40 % free');
    const discounts = board.card('discounts');
    await window.see('what it may write', discounts.getByText('src/discounts.mjs', { exact: true }));
    await window.see('when its account resets', discounts.getByText(/^resets in \d/));
    assert.equal(await board.button('Start').getAttribute('aria-disabled'), 'false');
    assert.deepEqual(await seriousFindings(await board.frame()), []);
    await window.picture('02-preview');
  });

  it('refuses overlapping writers with both globs, until a path is edited on the board', async () => {
    const { board, workbench } = window;
    writeFileSync(window.file('plans/overlap.yaml'), overlappingPlan);
    await window.fanOut('plans/overlap.yaml');
    await board.of('overlap');
    const reasons = board.part(/^Cannot start yet/);
    await window.see('the overlap', reasons.getByRole('listitem'));
    const said = (await reasons.getByRole('listitem').innerText()).replace(/\s+/g, ' ');
    assert.match(said, /currencies src\/\*\* overlaps rounding src\/tax\.mjs · both match src\/tax\.mjs/);
    assert.equal(await board.button('Start').getAttribute('aria-disabled'), 'true');
    await window.picture('03-overlap');

    await board.button('Edit: currencies').click();
    await board.field(/^May write/).fill('src/money.mjs\ntest/money.test.mjs');
    await window.picture('04-edit-paths');
    await workbench.page.keyboard.press('Control+Enter');
    await reasons.waitFor({ state: 'detached' });
    assert.equal(await board.button('Start').getAttribute('aria-disabled'), 'false');
    await workbench.runCommand('File: Save');
    const edited = overlappingPlan.replace('src/**', 'src/money.mjs');
    await until('the edited path is in the file', () => window.read('plans/overlap.yaml') === edited);
  });

  it('makes a plan of pieces, one a line, and ends on its board', async () => {
    const { board, workbench } = window;
    await window.fanOut('Write the pieces of work');
    await window.see('the question for pieces', workbench.quickInput.getByText('one piece of work a line'));
    await workbench.answer('Show prices without tax');
    await window.see('the first piece', workbench.quickInput.getByText('1. Show prices without tax'));
    await workbench.answer('Explain the money format');
    await window.see('the second piece', workbench.quickInput.getByText('2. Explain the money format'));
    await window.picture('05-pieces');
    await workbench.page.keyboard.press('Enter');
    await board.of('show-prices-without-tax');
    await window.seeCard('explain-the-money-format', 'planned');
    await window.see(
      'where the checks come from',
      board.part(/^Gate/).getByText('detected in the repository'),
    );
    await window.picture('06-pieces-on-board');
    assert.match(window.read('plans/show-prices-without-tax.yaml'), /Explain the money format/);
    assert.deepEqual(await window.ak.lanes(), [], 'nothing runs before Start');
  });

  it('starts three lanes, each with an agent in a terminal of its own', async () => {
    const { board, workbench } = window;
    await window.openTab(/^demo\.yaml/);
    await board.of('demo');
    await board.button('Start').click();
    for (const lane of lanes) await window.seeLane(lane, 'running', work);
    for (const lane of lanes) await window.seeCard(lane, 'running');
    await window.picture('07-running');

    await workbench.runCommand('Terminal: Focus Terminal');
    await terminalsAre();
    await window.see(
      'readable progress',
      terminalText('Reading src/invoice.mjs to see how lines are priced'),
    );
    await window.drag([1315, 700], [-110, 0]);
    await window.picture('08-terminals');
  });

  it('comes back whole after a reload in the middle', async () => {
    const { board, workbench } = window;
    await workbench.reload();
    // Which of its parts are in front is up to when the editor last saved its layout.
    await workbench.runCommand('View: Show AgentKit');
    for (const lane of lanes) await window.seeLane(lane, 'running');
    await window.openTab(/^demo\.yaml/);
    await board.of('demo');
    for (const lane of lanes) await window.seeCard(lane, 'running');
    await workbench.runCommand('Terminal: Focus Terminal');
    await terminalsAre();
    await terminals().filter({ hasText: 'discounts' }).click();
    await window.see(
      'the progress from its start',
      terminalText('Reading src/invoice.mjs to see how lines are'),
    );
    await window.picture('09-reloaded');
  });

  it('judges the lanes with the checks of the plan, and shows what they found in Problems', async () => {
    const { workbench } = window;
    await window.seeLane('discounts', 'ready', work);
    await window.seeLane('thousands', 'ready', work);
    await window.seeLane('reduced-tax', 'failed', work);
    await window.seeCard('reduced-tax', 'failed');
    await window.see('the end of the run', window.notifications.getByText('2 ready to merge, 1 needs you'));
    await workbench.runCommand('Problems: Focus on Problems View');
    const problem = (text: RegExp) =>
      workbench.page.locator('.part.panel').getByRole('treeitem', { name: text });
    const lint = /Unexpected var.* at line 8 and character 3\. generated by AgentKit \(lint\)/;
    await window.see('what lint found', problem(lint));
    const test =
      /takes 7 percent at the reduced rate[^]* at line 20 and character 10\. generated by AgentKit \(test\)/;
    await window.see('what the test found', problem(test));
    await window.picture('10-judged');

    const started = await window.startedAttempts();
    assert.deepEqual(started.toSorted(), lanes.toSorted(), 'one attempt each, also over the reload');
  });

  it('opens a lane in a window of its own', async () => {
    const { demo, workbench } = window;
    const opened = workbench.page.context().waitForEvent('page');
    await workbench
      .treeItem(/^reduced-tax, /)
      .getByText('reduced-tax', { exact: true })
      .click();
    const other = await opened;
    assert.equal(new URL(other.url()).searchParams.get('folder'), `${demo.repository}-lanes/reduced-tax`);
    await other.close();
  });

  it('reviews a lane as one diff and merges it from the tree', async () => {
    const { workbench } = window;
    await workbench.runCommand('Notifications: Clear All Notifications');
    await workbench.runCommand('View: Hide Panel');
    await window.pressInRow('discounts', 'Review Changes');
    const { page } = workbench;
    await window.see(
      'the review',
      page.getByRole('tab', { name: /^Review discounts \([0-9a-f]{7}\) \(3 files\)/ }),
    );
    await window.see('what it adds', page.getByText('export function discountOf').first());
    await window.picture('11-review');

    await window.pressInRow('discounts', 'Review and Merge…');
    await window.see('the question', window.dialog.getByText('Merge discounts into main?'));
    const plan = await window.dialog.innerText();
    for (const part of [/Commits \(2\)/, /src\/invoice\.mjs/, /strategy merge/, /lint: npm run lint/])
      assert.match(plan, part);
    await window.picture('12-merge-plan');
    await page.getByRole('button', { name: 'Merge', exact: true }).click();
    await window.seeLane('discounts', 'merged', work);
  });

  it('refuses a merge that would overwrite the person’s own change, and does it once that is gone', async () => {
    const { board, workbench } = window;
    await window.openTab(/^demo\.yaml/);
    await board.of('demo');
    const mine = '// a change of mine\n';
    appendFileSync(window.file('src/money.mjs'), mine);
    const before = window.git('rev-parse', 'main');
    await board.button('Review and Merge…: thousands').click();
    const refusal = window.notifications.getByText(/thousands cannot be merged into main.*src\/money\.mjs/);
    await window.see('why it cannot be merged', refusal);
    await window.picture('13-merge-refused');
    assert.equal(window.git('rev-parse', 'main'), before, 'main stays');
    assert.ok(window.read('src/money.mjs').endsWith(mine), 'the change stays');

    window.git('checkout', '-q', '--', 'src/money.mjs');
    await workbench.runCommand('Notifications: Clear All Notifications');
    await board.button('Review and Merge…: thousands').click();
    await window.see('the question', window.dialog.getByText('Merge thousands into main?'));
    await workbench.page.getByRole('button', { name: 'Merge', exact: true }).click();
    await window.seeLane('thousands', 'merged', work);
    await window.seeCard('thousands', 'merged');
    await workbench.runCommand('Notifications: Clear All Notifications');
    await window.picture('14-merged');

    assert.match(window.git('log', '--oneline', '--first-parent', 'main'), /thousands[^]*discounts/);
    assert.match(window.read('src/money.mjs'), /whole/);
    assert.ok(existsSync(window.file('src/discounts.mjs')), 'both changes are in the checkout');
    assert.equal(
      await board.button('Review and Merge…: reduced-tax').count(),
      0,
      'the failed lane has no merge',
    );
  });

  it('tells the same from outside', async () => {
    const { ak } = window;
    const listed = await ak.lanes();
    const states = listed.map(({ lane, state }) => `${lane} ${state}`);
    assert.deepEqual(states, ['discounts merged', 'thousands merged', 'reduced-tax failed']);
    const failed = await ak.lane('reduced-tax');
    assert.deepEqual([failed.state, failed.mergeable, failed.attempts.length], ['failed', false, 1]);
    const checks = failed.gate.checks.map(({ name, status }) => `${name} ${status}`);
    assert.deepEqual(checks, ['test failed', 'lint failed']);
    const run = await ak.run(failed.run);
    assert.deepEqual([run.name, run.status, run.lanes.length], ['demo', 'failed', 3]);
    assert.equal(run.target.sha, window.git('rev-parse', 'main').trim());
  });

  it('is accessible in light, dark and both high contrast themes', async () => {
    const { board, workbench } = window;
    for (const [name, theme] of [
      ['dark', 'Dark 2026'],
      ['light', 'Light 2026'],
      ['high-contrast', 'Dark High Contrast'],
      ['high-contrast-light', 'Light High Contrast'],
    ] as const) {
      await workbench.runCommand('Preferences: Color Theme');
      await workbench.answer(theme);
      await board.of('demo');
      assert.deepEqual(await seriousFindings(await board.frame()), [], `axe in ${name}`);
      await window.picture(`15-${name}`);
    }
  });

  const terminals = () => window.workbench.page.getByRole('listitem', { name: /^Terminal \d+ / });
  const terminalText = (text: string) =>
    window.workbench.page.locator('.xterm-rows').filter({ visible: true }).getByText(text);

  async function terminalsAre(): Promise<void> {
    const tabs = terminals();
    const named = [
      ['discounts', 'demo/@two'],
      ['thousands', 'demo/@three'],
      ['reduced-tax', 'demo/@one'],
    ].map((words) => words.join(' · '));
    for (const name of named) await window.see(`the terminal ${name}`, tabs.filter({ hasText: name }));
    const ours = (await tabs.allInnerTexts()).filter((text) => text.includes(' · demo/@'));
    assert.equal(ours.length, named.length, `one terminal a lane, not ${ours.join(', ')}`);
  }
});

import assert from 'node:assert/strict';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { until } from '../host/suite/until.ts';
import { JourneyWindow } from './journeyWindow.ts';
import { StandInVendor } from './standInVendor.ts';

/** One person and their accounts, in a real workbench; a stand-in for a vendor's CLI is on PATH. */
describe('accounts in a real workbench', function () {
  this.timeout(120_000);
  let window: JourneyWindow;
  let vendor: StandInVendor;
  let home: string;
  let broken = false;

  before(async () => {
    window = await JourneyWindow.open((scratch) => {
      vendor = new StandInVendor(scratch);
      home = path.join(scratch, 'home');
      mkdirSync(home);
      const folders = [vendor.folder, path.dirname(process.execPath), '/usr/local/bin', '/usr/bin', '/bin'];
      // The editor takes PATH from the person's login shell.
      writeFileSync(path.join(home, '.profile'), `export PATH='${folders.join(path.delimiter)}'\n`);
      // As root the vendor's program wants to be told that nothing can be broken.
      return { HOME: home, SHELL: '/bin/sh', IS_SANDBOX: '1' };
    });
    await window.workbench.page.getByRole('tab', { name: 'AgentKit' }).click();
    await window.drag([350, 450], [150, 0]);
  });
  after(() => window?.dispose());
  beforeEach(function () {
    if (broken) this.skip();
  });
  afterEach(async function () {
    if (this.currentTest?.state !== 'failed') return;
    broken = true;
    await window.workbench.screenshot('accounts-failed');
  });

  const row = (name: RegExp) => window.workbench.treeItem(name);
  const picture = (name: string) => window.picture(`accounts-${name}`);
  const clear = () => window.workbench.runCommand('Notifications: Clear All Notifications');
  const terminalText = (text: string | RegExp) =>
    window.workbench.page.locator('.xterm-rows').filter({ visible: true }).getByText(text);
  const type = async (text: string) => {
    await window.workbench.page.locator('.xterm').filter({ visible: true }).click();
    await window.workbench.page.keyboard.type(`${text}\n`);
  };

  async function menu(account: RegExp, action: string): Promise<void> {
    await row(account).click({ button: 'right' });
    const item = window.workbench.page.getByRole('menuitem', { name: action });
    // A menu passes over a click that comes too soon after it has opened.
    for (let gone = false; !gone;) {
      await item.click();
      gone = await item.waitFor({ state: 'detached', timeout: 3000 }).then(
        () => true,
        () => false,
      );
    }
  }

  it('are shown from what this machine knows, without asking any vendor', async () => {
    await window.see('an account that was never read', row(/^@default, not read yet/));
    await window.see('an account of the demo', row(/^@two, 78 % · weekly resets/));
    await picture('01-first-look');
    assert.deepEqual(vendor.calls(), []);
  });

  it('are examined by the doctor, who says how to cure what is wrong', async () => {
    await window.workbench.runCommand('AgentKit: Doctor');
    const page = window.workbench.webview;
    await window.see('what is wrong', page.getByText('claude auth login').first());
    await window.see('the agents', page.getByRole('cell', { name: 'Claude Code' }).first());
    await picture('02-doctor');
    assert.ok(!vendor.calls().some((call) => call.includes('stream-json')), 'no vendor was asked');
    await window.workbench.runCommand('View: Close All Editors');
    await clear();
  });

  it('are added with a name that is judged as it is typed', async () => {
    const { workbench } = window;
    await workbench.runCommand('AgentKit: Add Account…');
    await window.see('what is not installed', workbench.quickInput.getByText(/^Not installed: npm install/));
    await picture('03-which-agent');
    await workbench.pick('Claude Code');
    await workbench.quickInput.getByRole('textbox').fill('@default');
    await window.see('why not', workbench.quickInput.getByText(/means the CLI's own home/));
    await workbench.quickInput.getByRole('textbox').fill('work2');
    await picture('04-name');
    await workbench.page.keyboard.press('Enter');
  });

  it("log in by the vendor's own words in a terminal", async () => {
    await window.see('the login', terminalText("Here the vendor's own login would be"));
    await picture('05-login');
    await type('somebody@example.com');
    await window.see('that it worked', window.notifications.getByText('claude/@work2 is logged in'));
    await window.see('the row', row(/^@work2, logged in · not read yet/));
    await picture('06-logged-in');
    await clear();
  });

  it('ask the vendor only when the person wants it', async () => {
    const asked = () => vendor.calls().filter((call) => call.includes('stream-json')).length;
    assert.equal(asked(), 0);
    await window.workbench.runCommand('AgentKit: Refresh Usage');
    await window.see('what is left', row(/^@work2, 40 % · 5h resets \d\d:\d\d/));
    await window.see('who is not logged in', row(/^@default, not logged in/));
    await picture('07-read');
    assert.ok(asked() >= 1);
  });

  it('open the screen of the vendor in a terminal, and are held as long', async () => {
    const { page } = window.workbench;
    await row(/^@work2, /).hover();
    await row(/^@work2, /)
      .getByRole('button', { name: 'Open Terminal as This Account' })
      .click();
    await window.see('the screen', terminalText('account:   claude/@work2'));
    await window.see('whose home', terminalText(/profiles\/claude\/work2/));
    await window.see('that it lives with the terminal', terminalText(/lives with this terminal/).first());
    await window.see('that it is in use', row(/^@work2, .* · used by a terminal/));
    await picture('08-session');

    await menu(/^@work2, /, 'Remove…');
    await window.see('why not', window.notifications.getByText(/claude\/@work2 is in use/));
    await clear();
    await type('exit');
    await window.see('its end', window.notifications.getByText('The session of claude/@work2 has ended'));
    await row(/^@work2, .* used by/).waitFor({ state: 'detached' });
    await picture('09-ended');
    await page.getByRole('button', { name: 'Resume' }).click();
    await window.see('the session again', terminalText(/arguments: .*--continue/));
    await type('exit');
    await window.see('its end', window.notifications.getByText('The session of claude/@work2 has ended'));
    await clear();
  });

  it('are offered by the terminal profile too', async () => {
    const { workbench } = window;
    await workbench.runCommand('Create New Terminal (With Profile)');
    await workbench.quickInput.getByText('Agent Session (AgentKit)').first().click();
    await window.see('which account', workbench.quickInput.getByText('Agent Session: which account?'));
    await picture('10-profile');
    await workbench.pick('claude/@work2');
    await window.see('the screen', terminalText('account:   claude/@work2'));
    await window.see('that it is in use', row(/^@work2, .* · used by a terminal/));
    await type('exit');
    await window.see('its end', window.notifications.getByText('The session of claude/@work2 has ended'));
    await clear();
  });

  it('are made for the demo with a file that says what is left', async () => {
    const { workbench } = window;
    await workbench.runAndPick('AgentKit: Add Account…', 'Demo agent (embedded, no AI)');
    await workbench.answer('@four');
    await window.see('its file', workbench.page.getByRole('tab', { name: /^usage\.json/ }));
    await window.see('its row', row(/^@four, 55 % · weekly resets/));
    await picture('11-demo-account');
    await workbench.runCommand('View: Close All Editors');
  });

  it('are kept out of picks, which the board of a plan shows at once', async () => {
    const { board } = window;
    await window.fanOut('plans/demo.yaml');
    await board.of('demo');
    await window.seeCard('discounts', 'planned, demo/@two, 78 % free');
    await menu(/^@two, /, 'Exclude From Picks…');
    await window.see('that it is excluded', row(/^@two, excluded from picks/));
    await window.seeCard('discounts', 'planned, demo/@four, 55 % free');
    const strip = board.part(/^Accounts/);
    assert.equal(await strip.getByText('demo/@two').count(), 0);
    await picture('12-excluded');
    assert.ok(
      existsSync(path.join(home, '.config', 'agentkit', 'settings.yaml')),
      'in the settings of the person',
    );

    await window.workbench.runCommand('AgentKit: Pick Account…');
    const { quickInput } = window.workbench;
    await window.see('why not', quickInput.getByText(/^excluded/));
    await picture('13-pick');
    await window.workbench.page.keyboard.press('Escape');
    await menu(/^@two, /, 'Include in Picks…');
    await window.seeCard('discounts', 'planned, demo/@two, 78 % free');
  });

  it('are removed after saying what is deleted', async () => {
    const folder = path.join(`${window.demo.repository}-accounts`, 'profiles', 'claude', 'work2');
    await menu(/^@work2, /, 'Remove…');
    await window.see('what is deleted', window.dialog.getByText(folder));
    await picture('14-remove');
    assert.ok(existsSync(folder));
    await window.workbench.page.getByRole('button', { name: 'Remove', exact: true }).click();
    await row(/^@work2/).waitFor({ state: 'detached' });
    await until('the folder is gone', () => !existsSync(folder));
  });

  it('come second in what a newcomer is walked through', async () => {
    const { workbench } = window;
    await workbench.runCommand('View: Close All Editors');
    await workbench.runCommand('Welcome: Open Walkthrough...');
    await workbench.quickInput.getByText('Get Started with AgentKit').first().click();
    const { page } = workbench;
    await page
      .getByRole('button', { name: /^Add an account/ })
      .first()
      .click();
    await window.see('what to press', page.getByRole('button', { name: 'Add Account…' }));
    await picture('15-walkthrough');
  });
});

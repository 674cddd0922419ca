import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';
import type { BoardSnapshot, ToHost, ToPage } from '../../src/protocol/boardMessages.ts';
import { buildBoard } from '../../webview/buildBoard.mjs';
import { previewSnapshot, refusedSnapshot, runSnapshot } from '../unit/webview/boardSnapshots.ts';
import { browserArguments, ensureBrowser } from '../../scripts/browser.mjs';
import { boardThemes, type BoardTheme } from './boardThemes.ts';
import { seriousFindings } from './seriousFindings.ts';
import { serveBoard, type BoardServer } from './serveBoard.ts';

const pictures = 'test-results';
const views = { preview: previewSnapshot, refused: refusedSnapshot, run: runSnapshot };
const [dark] = boardThemes as [BoardTheme];

/** What the page finds in place of the editor: it records messages and keeps the page's state. */
function stubEditor(): void {
  const sent: unknown[] = [];
  Object.assign(globalThis, {
    sent,
    violations: [],
    acquireVsCodeApi: () => ({
      postMessage: (message: unknown) => sent.push(message),
      getState: () => undefined,
      setState: (state: unknown) => state,
    }),
  });
  document.addEventListener('securitypolicyviolation', (event) =>
    (globalThis as unknown as { violations: string[] }).violations.push(
      `${event.effectiveDirective} ${event.blockedURI} ${event.sourceFile}:${event.lineNumber}`,
    ),
  );
}

describe('board page in a browser', function () {
  this.timeout(60_000);
  let dist: string;
  let server: BoardServer;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  let errors: string[];

  before(async () => {
    dist = await mkdtemp(join(tmpdir(), 'agentkit-board-'));
    await mkdir(pictures, { recursive: true });
    await buildBoard({ root: process.cwd(), outdir: dist, production: true });
    server = await serveBoard(dist, boardThemes);
    browser = await chromium.launch({ executablePath: ensureBrowser(), args: browserArguments });
  });

  after(async () => {
    await browser?.close();
    await server?.close();
    await rm(dist, { recursive: true, force: true });
  });

  afterEach(() => context.close());

  async function open(theme: BoardTheme, snapshot: BoardSnapshot, width = 1440): Promise<void> {
    context = await browser.newContext({ viewport: { width, height: 760 }, reducedMotion: 'reduce' });
    page = await context.newPage();
    errors = [];
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') errors.push(message.text());
    });
    page.on('pageerror', (error) => errors.push(error.message));
    await page.addInitScript(stubEditor);
    await page.goto(server.url(theme));
    assert.deepEqual(await sent(), [{ type: 'ready' }]);
    await post({ type: 'snapshot', snapshot });
    await page.getByRole('heading', { level: 1, name: snapshot.title }).waitFor();
    await page.evaluate(() => document.fonts.ready);
  }

  const post = (message: ToPage) => page.evaluate((data) => window.postMessage(data, '*'), message);
  const sent = () => page.evaluate<ToHost[]>('sent');
  const card = (id: string) => page.getByRole('listitem', { name: new RegExp(`^${id}, `) });
  const focusedCard = () =>
    page.evaluate(() => document.activeElement?.closest<HTMLElement>('[data-card]')?.dataset['card'] ?? null);

  for (const theme of boardThemes) {
    for (const [view, snapshot] of Object.entries(views)) {
      it(`shows the ${view} in ${theme.name} without a finding of axe or the CSP`, async () => {
        await open(theme, snapshot(Date.now()));
        await page.screenshot({ path: `${pictures}/board-${view}-${theme.name}.png` });
        assert.deepEqual(await seriousFindings(page), []);
        assert.deepEqual(await page.evaluate('violations'), []);
        assert.deepEqual(errors, []);
      });
    }
  }

  it('moves between cards with the arrows from one tab stop, and opens with Enter', async () => {
    await open(dark, runSnapshot(Date.now()));
    await card('docs').focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowDown');
    assert.equal(await focusedCard(), 'dates');
    await page.keyboard.press('Tab');
    assert.equal(await focusedCard(), null);
    await page.keyboard.press('Shift+Tab');
    assert.equal(await focusedCard(), 'dates');
    await page.keyboard.press('Enter');
    assert.deepEqual((await sent()).at(-1), { type: 'action', card: 'dates', action: 'stop' });
  });

  it('lets the focus follow a card into another column and says so', async () => {
    const snapshot = runSnapshot(Date.now());
    await open(dark, snapshot);
    await card('rates').focus();
    const rates = snapshot.cards.filter(({ id }) => id === 'rates');
    await post({
      type: 'cards',
      cards: rates.map((each) => ({ ...each, column: 'ready', state: 'ready' })),
      removed: [],
    });
    await page
      .getByRole('list', { name: /^Ready/ })
      .getByRole('listitem', { name: /^rates, / })
      .waitFor();
    assert.equal(await focusedCard(), 'rates');
    await page.getByRole('status').getByText('rates: ready.').waitFor();
  });

  it('has every action of a card in its menu', async () => {
    await open(dark, runSnapshot(Date.now()));
    await card('tax').focus();
    await page.keyboard.press('Shift+F10');
    const items = page.getByRole('menu', { name: 'Actions for tax' }).getByRole('menuitem');
    assert.deepEqual(
      (await items.allTextContents()).map((text) => text.trim()),
      ['Retry', 'Review Changes', 'Show Terminal', 'Show Details'],
    );
    await page.screenshot({ path: `${pictures}/board-menu-dark.png` });
    assert.deepEqual(await seriousFindings(page), []);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    assert.deepEqual((await sent()).at(-1), { type: 'action', card: 'tax', action: 'reviewChanges' });
    assert.equal(await focusedCard(), 'tax');
  });

  it('starts a plan, and says why it does not start a refused one', async () => {
    await open(dark, previewSnapshot(Date.now()));
    const start = page.getByRole('button', { name: 'Start' });
    await start.click();
    assert.deepEqual((await sent()).at(-1), { type: 'start' });
    await post({ type: 'snapshot', snapshot: refusedSnapshot(Date.now()) });
    await page.getByRole('heading', { name: 'Cannot start yet' }).waitFor();
    await start.focus();
    await page.keyboard.press('Enter');
    assert.deepEqual((await sent()).filter(({ type }) => type === 'start').length, 1);
    assert.equal(
      await start.evaluate((button) => button.getAttribute('aria-describedby')),
      await page.locator('ul', { hasText: 'no account of kind codex is logged in' }).getAttribute('id'),
    );
  });

  it('writes an edited prompt into the plan on Ctrl+Enter, and drops it on Escape', async () => {
    await open(dark, previewSnapshot(Date.now()));
    await card('totals').focus();
    await page.keyboard.press('Enter');
    await page.keyboard.type('Mind JPY. ');
    await page.screenshot({ path: `${pictures}/board-edit-dark.png` });
    assert.deepEqual(await seriousFindings(page), []);
    await page.keyboard.press('Escape');
    assert.equal(await focusedCard(), 'totals');
    assert.deepEqual(await sent(), [{ type: 'ready' }]);
    await page.keyboard.press('Enter');
    await page.keyboard.press('Control+End');
    await page.keyboard.type(', also for JPY');
    await page.keyboard.press('Control+Enter');
    const value = 'Sum line items without floating point errors, also for JPY';
    assert.deepEqual((await sent()).slice(1), [{ type: 'edit', job: 'totals', field: 'prompt', value }]);
    assert.equal(await focusedCard(), 'totals');
  });

  it('keeps an unfinished text while snapshots arrive', async () => {
    const snapshot = previewSnapshot(Date.now());
    await open(dark, snapshot);
    await card('totals').focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Control+End');
    await page.keyboard.type(' in cents');
    await post({ type: 'snapshot', snapshot: { ...snapshot, status: 'still 3 jobs' } });
    await page.getByText('still 3 jobs').first().waitFor();
    await page.keyboard.type(' only');
    await page.keyboard.press('Tab');
    const value = 'Sum line items without floating point errors in cents only';
    assert.deepEqual((await sent()).at(-1), { type: 'edit', job: 'totals', field: 'prompt', value });
  });

  it('stays readable in a narrow editor', async () => {
    await open(boardThemes[1] as BoardTheme, runSnapshot(Date.now()), 480);
    await page.screenshot({ path: `${pictures}/board-run-narrow.png` });
    assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 480);
  });

  it('notices a style that the CSP forbids', async () => {
    await open(dark, previewSnapshot(Date.now()));
    await page.evaluate(() => document.body.insertAdjacentHTML('beforeend', '<p style="color: red">x</p>'));
    const violations = await page.evaluate<string[]>('violations');
    assert.match(violations.join(), /style-src-attr inline/);
  });
});

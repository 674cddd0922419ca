import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import { type Demo, makeDemo } from '../../scripts/demo/makeDemo.mjs';
import { AkOutside } from './akOutside.ts';
import { withPatientAgents } from './journeyPlans.ts';
import { openWorkbench } from './openWorkbench.ts';
import { ShownBoard } from './shownBoard.ts';
import type { Workbench } from './workbench.ts';

/** Patience for what a person waits for a moment, and for what agents, checks and merges do, in milliseconds. */
const moment = 90_000;
export const work = 360_000;
/** How long agents take, in seconds: a slow machine must be able to show them at work, reload and show them again. */
const agentsWork = 90;

/** A window on the demo repository and what the person of the journey does in it. `dispose()` it in the end. */
export class JourneyWindow {
  readonly demo: Demo;
  readonly workbench: Workbench;
  readonly board: ShownBoard;
  readonly ak: AkOutside;
  readonly #scratch: string;

  private constructor(scratch: string, demo: Demo, workbench: Workbench) {
    this.#scratch = scratch;
    this.demo = demo;
    this.workbench = workbench;
    this.board = new ShownBoard(workbench);
    this.ak = new AkOutside(demo);
  }

  /** @param more Environment of the editor beside the demo's, given the folder of everything of this window. */
  static async open(more: (scratch: string) => Record<string, string> = () => ({})): Promise<JourneyWindow> {
    const scratch = mkdtempSync(path.join(tmpdir(), 'agentkit-journey-'));
    try {
      const demo = makeDemo({ folder: path.join(scratch, 'invoices') });
      writeFileSync(demo.plan, withPatientAgents(readFileSync(demo.plan, 'utf8'), agentsWork));
      // Terminals that are drawn as text can be read here.
      const settings = { 'terminal.integrated.gpuAcceleration': 'off' };
      const workbench = await openWorkbench({
        folder: demo.repository,
        env: { ...demo.env, ...more(scratch) },
        settings,
      });
      const window = new JourneyWindow(scratch, demo, workbench);
      window.git('commit', '-qam', 'Let the agents take their time');
      return window;
    } catch (error) {
      rmSync(scratch, { recursive: true, force: true });
      throw error;
    }
  }

  async dispose(): Promise<void> {
    await this.workbench.dispose();
    rmSync(this.#scratch, { recursive: true, force: true, maxRetries: 5 });
  }

  git(...args: string[]): string {
    return execFileSync('git', args, { cwd: this.demo.repository, encoding: 'utf8' });
  }

  /** The absolute path of a file of the repository. */
  file(name: string): string {
    return path.join(this.demo.repository, name);
  }

  read(name: string): string {
    return readFileSync(this.file(name), 'utf8');
  }

  /** The lanes whose attempts were started, by the journal of the only run. */
  async startedAttempts(): Promise<string[]> {
    const [lane] = await this.ak.lanes();
    const lines = this.read(`.git/agentkit/runs/${lane?.run}/journal.jsonl`).trim().split('\n');
    const events = lines.map((line) => JSON.parse(line) as { type: string; lane: string });
    return events.filter(({ type }) => type === 'attempt.started').map(({ lane: started }) => started);
  }

  /** @throws with what was expected when it does not come */
  async see(what: string, shown: Locator, patience = moment): Promise<void> {
    await shown
      .first()
      .waitFor({ timeout: patience })
      .catch((cause: unknown) => {
        throw new Error(`Expected to see ${what}`, { cause });
      });
  }

  seeLane(lane: string, state: string, patience = moment): Promise<void> {
    const row = this.workbench.treeItem(new RegExp(`^${lane}, ${state}`));
    return this.see(`${lane} as "${state}" in the Lanes view`, row, patience);
  }

  seeCard(id: string, state: string, patience = moment): Promise<void> {
    return this.see(`${id} as "${state}" on the board`, this.board.card(id, state), patience);
  }

  /** Fan Out…, with the source whose entry has this text. */
  async fanOut(source: string): Promise<void> {
    await this.workbench.runAndPick('AgentKit: Fan Out…', source);
  }

  /** An action of a lane's row in the Lanes view. */
  async pressInRow(lane: string, action: string): Promise<void> {
    const row = this.workbench.treeItem(new RegExp(`^${lane}, `));
    await row.hover();
    await row.getByRole('button', { name: action }).click();
    await this.#letGo();
  }

  async openTab(name: RegExp): Promise<void> {
    await this.workbench.page.locator('.part.editor').getByRole('tab', { name }).click();
  }

  get dialog(): Locator {
    return this.workbench.page.locator('.monaco-dialog-box');
  }

  get notifications(): Locator {
    return this.workbench.page.locator('.notifications-toasts');
  }

  /** Makes a part wider, or a lower one higher, by its border. */
  async drag([x, y]: [number, number], [right, down]: [number, number]): Promise<void> {
    const { mouse } = this.workbench.page;
    await mouse.move(x, y);
    await mouse.down();
    await mouse.move(x + right, y + down, { steps: 4 });
    await mouse.up();
  }

  /** Writes `test-results/journey-<name>.png`, with nothing lit up under the pointer. */
  async picture(name: string): Promise<void> {
    await this.#letGo();
    await this.workbench.screenshot(`journey-${name}`);
  }

  /** Moves the pointer to where nothing is, before a row or button shows its tooltip. */
  async #letGo(): Promise<void> {
    const { page } = this.workbench;
    await page.mouse.move(700, 12);
    await page.locator('.monaco-hover:visible').waitFor({ state: 'detached' });
  }
}

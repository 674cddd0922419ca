import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Demo, makeDemo } from '../../scripts/demo/makeDemo.mjs';
import { demoPlan } from '../host/suite/demoPlan.ts';
import { until } from '../host/suite/until.ts';
import { openWorkbench } from './openWorkbench.ts';
import type { Workbench } from './workbench.ts';

/** How long the agents work, in seconds: longer than a slow machine needs to open the window two more times. */
const work = 100;

describe('a run whose window is reloaded', function () {
  this.timeout(3 * work * 1000);
  let scratch: string;
  let demo: Demo;
  let workbench: Workbench;
  const lanes = ['slow-tidy', 'slow-broken'];

  before(async () => {
    scratch = mkdtempSync(path.join(tmpdir(), "agentkit relöad's "));
    demo = makeDemo({ folder: path.join(scratch, 'shop') });
    writeFileSync(path.join(demo.repository, 'plans', 'slow.yaml'), demoPlan('slow', work));
    workbench = await openWorkbench({ folder: demo.repository, env: demo.env });
  });
  after(async () => {
    await workbench.dispose();
    rmSync(scratch, { recursive: true, force: true, maxRetries: 5 });
  });

  it('starts', async () => {
    await workbench.runCommand('View: Show AgentKit');
    await workbench.runAndPick('AgentKit: Start Plan', 'plans/slow.yaml');
    await seeLanesRunning(2 * work * 1000);
    assert.equal(countEvents('owner'), 1);
  });

  it('goes on by itself after a reload, with one terminal a lane', async () => {
    await workbench.reload();
    await seeRunTakenUp(2);
    await workbench.screenshot('reloaded-terminals');
  });

  it('goes on as well when the server did not learn that the window had gone', async () => {
    await workbench.reopenAfterLoss();
    await seeRunTakenUp(3);
  });

  it('comes to its end, and started nothing twice', async () => {
    const timeout = 2 * work * 1000;
    await workbench.treeItem(/^slow-tidy, ready/).waitFor({ timeout });
    await workbench.treeItem(/^slow-broken, failed/).waitFor({ timeout });
    assert.equal(countEvents('attempt.started'), lanes.length);
    assert.equal(countEvents('owner'), 3);
  });

  async function seeRunTakenUp(owners: number): Promise<void> {
    // Which views are open is up to when the editor last saved its layout.
    await workbench.runCommand('View: Show AgentKit');
    await workbench.runCommand('Terminal: Focus Terminal');
    await seeLanesRunning();
    const tabs = workbench.page.getByRole('listitem', { name: /^Terminal \d+ / });
    for (const lane of lanes)
      await tabs
        .filter({ hasText: `${lane} · demo/@` })
        .first()
        .waitFor();
    // A window that the server waits for owns the run until it is given up.
    await until(`owner ${owners} of the run`, () => countEvents('owner') === owners, 90);
    await seeLanesRunning();
    const names = await tabs.allInnerTexts();
    assert.equal(names.filter((name) => name.includes(' · demo/@')).length, lanes.length, names.join('\n'));
  }

  async function seeLanesRunning(timeout = 90_000): Promise<void> {
    for (const lane of lanes) await workbench.treeItem(new RegExp(`^${lane}, running`)).waitFor({ timeout });
  }

  /** Events of a type in the journal of the only run. */
  function countEvents(type: string): number {
    const runs = path.join(demo.repository, '.git', 'agentkit', 'runs');
    const [run] = readdirSync(runs);
    const lines = readFileSync(path.join(runs, run!, 'journal.jsonl'), 'utf8')
      .trim()
      .split('\n');
    return lines.filter((line) => (JSON.parse(line) as { type: string }).type === type).length;
  }
});

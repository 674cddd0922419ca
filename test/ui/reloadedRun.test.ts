import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Demo, makeDemo } from '../../scripts/demo/makeDemo.mjs';
import { demoPlan } from '../host/suite/demoPlan.ts';
import { openWorkbench } from './openWorkbench.ts';
import type { Workbench } from './workbench.ts';

describe('a run whose window is reloaded', () => {
  let scratch: string;
  let demo: Demo;
  let workbench: Workbench;
  // Their agents take long enough to be at work still when the window is back.
  const lanes = ['slow-tidy', 'slow-broken'];

  before(async () => {
    scratch = mkdtempSync(path.join(tmpdir(), "agentkit relöad's "));
    demo = makeDemo({ folder: path.join(scratch, 'shop') });
    writeFileSync(path.join(demo.repository, 'plans', 'slow.yaml'), demoPlan('slow', 30));
    workbench = await openWorkbench({ folder: demo.repository, env: demo.env });
  });
  after(async () => {
    await workbench.dispose();
    rmSync(scratch, { recursive: true, force: true, maxRetries: 5 });
  });

  it('starts', async () => {
    await workbench.page.getByRole('tab', { name: 'AgentKit' }).click();
    await workbench.runCommand('AgentKit: Start Plan');
    await workbench.pick('plans/slow.yaml');
    for (const lane of lanes) await workbench.treeItem(new RegExp(`^${lane}, running`)).waitFor();
  });

  it('goes on by itself, with one terminal a lane', async () => {
    await workbench.reload();
    await workbench.treeItem(/^slow, running/).waitFor();
    await workbench.runCommand('Terminal: Focus Terminal');
    const tabs = workbench.page.getByRole('listitem', { name: /^Terminal \d+ / });
    for (const lane of lanes)
      await tabs
        .filter({ hasText: `${lane} · demo/@` })
        .first()
        .waitFor();
    await workbench.screenshot('reloaded-terminals');
    const names = await tabs.allInnerTexts();
    assert.equal(names.filter((name) => name.includes(' · demo/@')).length, lanes.length, names.join('\n'));
  });

  it('comes to its end, and started nothing twice', async () => {
    await workbench.treeItem(/^slow-tidy, ready/).waitFor({ timeout: 90_000 });
    await workbench.treeItem(/^slow-broken, failed/).waitFor({ timeout: 90_000 });
    const runs = path.join(demo.repository, '.git', 'agentkit', 'runs');
    const [run] = readdirSync(runs);
    const events = readFileSync(path.join(runs, run!, 'journal.jsonl'), 'utf8')
      .trim()
      .split('\n');
    const types = events.map((line) => (JSON.parse(line) as { type: string }).type);
    assert.equal(types.filter((type) => type === 'attempt.started').length, lanes.length);
    assert.equal(types.filter((type) => type === 'owner').length, 2);
  });
});

import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Demo, makeDemo } from '../../scripts/demo/makeDemo.mjs';
import { openWorkbench } from './openWorkbench.ts';
import type { Workbench } from './workbench.ts';

const untrusted = { workspaceTrust: true, settings: { 'security.workspace.trust.startupPrompt': 'never' } };

describe('a workspace that is not trusted', () => {
  let scratch: string;
  let demo: Demo;
  let workbench: Workbench;
  const ours = () => existsSync(path.join(demo.repository, '.git', 'agentkit'));

  before(async () => {
    scratch = mkdtempSync(path.join(tmpdir(), 'agentkit-trust-'));
    demo = makeDemo({ folder: path.join(scratch, 'shop') });
    workbench = await openWorkbench({ folder: demo.repository, env: demo.env, ...untrusted });
  });
  after(async () => {
    await workbench.dispose();
    rmSync(scratch, { recursive: true, force: true, maxRetries: 5 });
  });

  it('has views that say so, and nothing in them', async () => {
    await workbench.page.getByRole('tab', { name: 'AgentKit' }).click();
    await workbench.page.getByText('AgentKit starts nothing in a workspace that you do not trust.').waitFor();
    await workbench.page.getByRole('button', { name: 'Manage Workspace Trust' }).waitFor();
    assert.equal(await workbench.treeItem(/@one/).count(), 0);
    await workbench.screenshot('untrusted');
  });

  it('refuses what starts something, and leaves no trace', async () => {
    await workbench.runCommand('AgentKit: Refresh Usage');
    await workbench.page
      .getByText('AgentKit starts nothing until you trust this workspace.')
      .first()
      .waitFor();
    assert.equal(ours(), false);
  });

  it('does it once the workspace is trusted', async () => {
    await workbench.page.getByRole('button', { name: 'Manage Workspace Trust' }).click();
    await workbench.page.getByRole('button', { name: 'Trust', exact: true }).click();
    await workbench.treeItem(/^@one/).waitFor();
    await workbench.page.getByText('No lanes yet.').waitFor();
  });
});

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openWorkbench, type WorkbenchOptions } from './openWorkbench.ts';

describe('the packed extension in a workbench', () => {
  let folder: string;

  before(() => {
    folder = mkdtempSync(path.join(tmpdir(), "agentkit wörk'space "));
    writeFileSync(path.join(folder, 'README.md'), '# A folder\n');
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  /** The workbench is gone afterwards, also when the test failed. */
  async function using(
    options: WorkbenchOptions,
    act: (workbench: Awaited<ReturnType<typeof openWorkbench>>) => Promise<void>,
  ) {
    const workbench = await openWorkbench({ folder, ...options });
    try {
      await act(workbench);
    } finally {
      await workbench.dispose();
    }
  }

  it('offers its commands in the palette', () =>
    using({ theme: 'light' }, async (workbench) => {
      await workbench.showInPalette('AgentKit: Show Log');
      await workbench.screenshot('palette-light');
      await workbench.page.keyboard.press('Escape');

      await workbench.runCommand('AgentKit: Show Log');
      await workbench.page.locator('.part.panel').getByRole('tab', { name: 'Output' }).waitFor();
    }));

  it('opens an untrusted folder in restricted mode', () =>
    using(
      { workspaceTrust: true, settings: { 'security.workspace.trust.startupPrompt': 'never' } },
      async (workbench) => {
        await workbench.page
          .getByRole('button', { name: /Restricted Mode/ })
          .first()
          .waitFor();
      },
    ));

  it('opens again after its server was stopped', () =>
    using({ theme: 'highContrast' }, async (workbench) => {
      await workbench.stopServer();
      await workbench.restartServer();
      await workbench.treeItem('README.md').waitFor();
      await workbench.page.locator('.monaco-workbench.hc-black').waitFor();
    }));
});

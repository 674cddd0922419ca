import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { chromium } from 'playwright-core';
import { browserArguments, ensureBrowser } from '../../scripts/browser.mjs';
import { startCodeServer, workbenchUrl } from '../../scripts/codeServer.mjs';
import { endMarked } from '../../scripts/leftovers.mjs';
import { installPackedExtension } from './packedExtension.ts';
import { type Theme, writeUserSettings } from './userSettings.ts';
import { Workbench } from './workbench.ts';

export interface WorkbenchOptions {
  /** Absolute path of the folder to open; none opens an empty window. */
  folder?: string;
  theme?: Theme;
  /** Ask whether the folder is trusted, so that it starts untrusted. Default: every folder is trusted. */
  workspaceTrust?: boolean;
  /** User settings over the pinned ones. */
  settings?: Record<string, unknown>;
  /** For the editor and all that it starts, over our own environment. */
  env?: Record<string, string>;
}

/**
 * Opens a real VS Code workbench in a headless browser, with the packed extension installed, on a profile of its own.
 * A test calls `dispose()` on it in its `after` hook, whatever happened. It then ends every process that came from this
 * editor, also detached ones, so a test that closes the editor alone uses `stopServer()`.
 */
export async function openWorkbench(options: WorkbenchOptions = {}): Promise<Workbench> {
  const undo: (() => unknown)[] = [];
  const dispose = async () => {
    for (const step of undo.splice(0).toReversed()) await step();
  };
  try {
    const scratch = mkdtempSync(path.join(tmpdir(), 'agentkit-ui-'));
    const removeScratch = () => rmSync(scratch, { recursive: true, force: true, maxRetries: 5 });
    // Also when an interrupt ends the run before a test comes to dispose().
    process.once('exit', removeScratch);
    undo.push(removeScratch, () => process.off('exit', removeScratch));
    const mark = randomUUID();
    undo.push(() => endMarked(`AGENTKIT_TEST_WORKBENCH=${mark}`, 0));
    const editor = installPackedExtension(scratch, { ...options.env, AGENTKIT_TEST_WORKBENCH: mark });
    writeUserSettings(editor.userDataDir, options.settings ?? {}, options.theme);
    const browser = await chromium.launch({ executablePath: ensureBrowser(), args: browserArguments });
    undo.push(() => browser.close());
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    const startServer = async (port: number) => {
      const server = await startCodeServer({
        ...editor,
        port,
        workspaceTrust: options.workspaceTrust ?? false,
      });
      undo.push(server.stop);
      return server;
    };
    const server = await startServer(0);
    const workbench = new Workbench({
      page,
      server,
      startServer,
      url: workbenchUrl(server.origin, options.folder),
      dispose,
    });
    await workbench.load();
    return workbench;
  } catch (error) {
    await dispose();
    throw error;
  }
}

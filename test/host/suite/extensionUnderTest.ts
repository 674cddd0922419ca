import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { ForTests } from '../../../src/extension.ts';

/** The activated extension with what it shows to tests. */
export async function extensionUnderTest(): Promise<ForTests> {
  const extension = vscode.extensions.getExtension<ForTests | undefined>('agentkit.agentkit');
  assert.ok(extension, 'agentkit.agentkit is installed');
  const shown = await extension.activate();
  assert.ok(shown, 'the extension runs in a test host');
  return shown;
}

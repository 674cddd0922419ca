import assert from 'node:assert/strict';
import * as vscode from 'vscode';

describe('activation', () => {
  it('activates by itself and registers every contributed command', async () => {
    const extension = vscode.extensions.getExtension('agentkit.agentkit');
    assert.ok(extension, 'agentkit.agentkit is installed');
    await extension.activate();

    const manifest = extension.packageJSON as { contributes: { commands: { command: string }[] } };
    const contributed = manifest.contributes.commands.map(({ command }) => command);
    const registered = new Set(await vscode.commands.getCommands(true));
    const missing = contributed.filter((id) => !registered.has(id));
    assert.deepEqual(missing, []);
  });
});

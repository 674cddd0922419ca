import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { ExtensionContext } from 'vscode';
import type { Services } from '../../../../src/vscode/platform/services.ts';
import { startOver, trust, workspace } from '../fakeEditor.ts';

const { putAkOnPath } = await import('../../../../src/vscode/terminals/akOnPath.ts');

describe('putAkOnPath', () => {
  let scratch: string;
  let appended: string[];

  beforeEach(() => {
    startOver();
    scratch = mkdtempSync(path.join(tmpdir(), 'agentkit-path-'));
    mkdirSync(path.join(scratch, 'dist'));
    for (const file of ['ak.js', 'supervisor.js', 'demoAgent.js'])
      writeFileSync(path.join(scratch, 'dist', file), '');
    appended = [];
  });
  afterEach(() => rmSync(scratch, { recursive: true, force: true }));

  function put() {
    const context = {
      environmentVariableCollection: {
        clear: () => (appended = []),
        append: (_name: string, value: string) => appended.push(value),
      },
      globalStorageUri: { fsPath: path.join(scratch, 'storage') },
      extensionPath: scratch,
    } as unknown as ExtensionContext;
    return putAkOnPath(context, { settings: { addToPath: () => 'ifMissing' } } as unknown as Services);
  }

  async function untilAppended(): Promise<void> {
    const deadline = performance.now() + 5000;
    while (appended.length === 0) {
      assert.ok(performance.now() < deadline, 'ak never came onto the PATH');
      await pause(20);
    }
    assert.match(appended[0] ?? '', /:.*storage\/bin$/);
  }

  it('puts ak onto the PATH of a trusted workspace', async () => {
    const registration = put();
    await untilAppended();
    registration.dispose();
  });

  it('leaves one alone that is not trusted, until it is', async () => {
    workspace.isTrusted = false;
    const registration = put();
    assert.ok(!existsSync(path.join(scratch, 'storage')));
    workspace.isTrusted = true;
    trust.fire(undefined);
    await untilAppended();
    registration.dispose();
  });
});

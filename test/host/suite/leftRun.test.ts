import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import type { ForTests } from '../../../src/extension.ts';
import { demoPlan } from './demoPlan.ts';
import { extensionUnderTest } from './extensionUnderTest.ts';
import { until } from './until.ts';

describe('a run that ak started outside of the editor', () => {
  const root = vscode.workspace.workspaceFolders![0]!.uri.fsPath;
  let kit: ForTests;
  let ak: ChildProcess;

  const run = () => kit.services.lanes.runs.find(({ name }) => name === 'left');
  const item = () => kit.lanesTree.getTreeItem({ type: 'run', run: run()!.run });

  before(async () => {
    kit = await extensionUnderTest();
    const plan = path.join(root, 'plans', 'left.yaml');
    writeFileSync(plan, demoPlan('left', 30));
    const program = vscode.Uri.joinPath(kit.services.extensionUri, 'dist', 'ak.js').fsPath;
    ak = spawn(process.execPath, [program, 'orchestrate', 'start', plan, '--yes'], {
      cwd: root,
      env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
      stdio: 'ignore',
    });
  });
  after(() => ak.kill('SIGKILL'));

  it('shows while it goes on, but gets no terminals of this window', async () => {
    await until('its lanes at work', () => run()?.lanes.every(({ state }) => state === 'running'));
    assert.equal(run()!.owner?.head, 'ak');
    assert.match(item().tooltip as string, /Driven by another process: ak, pid \d+/);
    assert.deepEqual(
      vscode.window.terminals.filter(({ name }) => name.startsWith('left-')),
      [],
    );
  });

  it('is interrupted when ak is gone, and waits for the person', async () => {
    ak.kill('SIGKILL');
    await until('interrupted', () => run()?.status === 'interrupted');
    assert.equal(item().contextValue, 'run interrupted resumable');
    assert.equal(run()!.owner?.head, 'ak');
  });

  it('goes on where it stood when the person resumes it', async () => {
    await vscode.commands.executeCommand('agentkit.run.resume', { run: run()!.run });
    await until('this window drives it', () => run()?.owner?.self);
    assert.equal(item().contextValue, 'run running stoppable');
    assert.deepEqual(
      run()!.lanes.map(({ attempts }) => attempts.length),
      [1, 1],
    );
  });

  it('goes on too after it was stopped', async () => {
    await (await kit.services.kit()).request(run()!.run, { do: 'stopRun' });
    await until('stopped', () => run()?.status === 'stopped');
    assert.equal(item().contextValue, 'run stopped resumable');
    await vscode.commands.executeCommand('agentkit.run.resume', { run: run()!.run });
    await until('its end', () => run()?.status === 'failed', 180);
    const states = run()!.lanes.map(({ lane, state, attempts }) => [lane, state, attempts.length]);
    assert.deepEqual(states, [
      ['left-tidy', 'ready', 2],
      ['left-broken', 'failed', 2],
    ]);
    assert.equal(item().contextValue, 'run failed', 'nothing of it is broken off');
  });
});

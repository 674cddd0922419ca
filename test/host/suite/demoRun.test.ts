import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import * as vscode from 'vscode';
import type { ForTests } from '../../../src/extension.ts';
import type { LaneState } from '../../../src/core/lanes/laneState.ts';
import { answerDialog } from './dialogAnswer.ts';
import { demoPlan } from './demoPlan.ts';
import { extensionUnderTest } from './extensionUnderTest.ts';
import { until } from './until.ts';

describe('a run in the editor', () => {
  const root = vscode.workspace.workspaceFolders![0]!.uri.fsPath;
  const tidy = 'show-tidy';
  const broken = 'show-broken';
  let kit: ForTests;
  let run: string;

  const lane = (id: string) => kit.services.lanes.lane(id)!;
  const inState = (id: string, state: LaneState) =>
    until(`${id} ${state}`, () => lane(id)?.state === state, 180);
  const terminals = (id: string) => vscode.window.terminals.filter(({ name }) => name.startsWith(`${id} · `));

  before(async () => {
    kit = await extensionUnderTest();
    const engine = await kit.services.kit();
    ({ run } = await engine.startRun({ text: demoPlan('show', 15) }));
  });

  it('shows the run and its lanes as rows', async () => {
    await until('the run in the tree', async () => {
      const roots = await kit.lanesTree.getChildren();
      return roots.some((node) => node.run === run);
    });
    await inState(tidy, 'running');
    const node = (await kit.lanesTree.getChildren()).find((each) => each.run === run)!;
    const lanes = await kit.lanesTree.getChildren(node);
    const items = lanes.map((each) => kit.lanesTree.getTreeItem(each));
    assert.deepEqual(
      items.map(({ label }) => label),
      [tidy, broken],
    );
    assert.match(String(items[0]!.description), /^running · demo\/@\w+ · <1m$/);
    assert.match(items[0]!.contextValue!, /^lane running worktree attempted stoppable$/);
    assert.equal(items[0]!.command?.command, 'agentkit.lane.openWorktree');
  });

  it('gives each running lane one terminal, named and without taking the focus', async () => {
    const [terminal] = await until('a terminal', () => terminals(tidy).length > 0 && terminals(tidy));
    assert.equal(terminals(tidy).length, 1);
    assert.equal(terminal!.name, `${tidy} · ${lane(tidy).account}`);
    const options = terminal!.creationOptions as vscode.TerminalOptions;
    assert.equal(options.isTransient, true);
    assert.equal(options.cwd, lane(tidy).path);
    assert.notEqual(vscode.window.activeTerminal, terminal);
  });

  it('stops nothing when a terminal is closed, and shows it again', async () => {
    const before = await until('a terminal', () => terminals(broken)[0]);
    before.dispose();
    await until('the terminal is gone', () => !vscode.window.terminals.includes(before));
    await vscode.commands.executeCommand('agentkit.lane.showTerminal', { run, lane: broken });
    const after = await until('a new terminal', () => terminals(broken)[0]);
    assert.notEqual(after, before);
    assert.equal(lane(broken).attempts.length, 1);
  });

  it('lists the findings of a failed gate where they are', async () => {
    await inState(broken, 'failed');
    const file = vscode.Uri.file(path.join(lane(broken).path!, 'src', 'tax.mjs'));
    const found = await until('problems', () => {
      const problems = vscode.languages.getDiagnostics(file);
      return problems.length > 0 && problems;
    });
    const lint = found.find(({ source }) => source === 'AgentKit (lint)')!;
    assert.ok(lint, JSON.stringify(found));
    assert.equal(lint.severity, vscode.DiagnosticSeverity.Error);
    const text = new TextDecoder().decode(await vscode.workspace.fs.readFile(file)).split('\n');
    assert.equal(text[lint.range.start.line]!.slice(lint.range.start.character).slice(0, 3), 'var');
    assert.deepEqual(vscode.languages.getDiagnostics(vscode.Uri.file(path.join(root, 'src', 'tax.mjs'))), []);
  });

  it('hides them while the setting is off', async () => {
    const file = vscode.Uri.file(path.join(lane(broken).path!, 'src', 'tax.mjs'));
    const settings = vscode.workspace.getConfiguration();
    await settings.update('agentkit.problems.show', 'off', vscode.ConfigurationTarget.Global);
    await until('no problems', () => vscode.languages.getDiagnostics(file).length === 0);
    await settings.update('agentkit.problems.show', undefined, vscode.ConfigurationTarget.Global);
    await until('problems again', () => vscode.languages.getDiagnostics(file).length > 0);
  });

  it('shows attempts, checks and changed files below a lane', async () => {
    await inState(tidy, 'ready');
    const node = { type: 'lane', run, lane: tidy } as const;
    const rows = await kit.lanesTree.getChildren(node);
    const labels = rows.map((row) => kit.lanesTree.getTreeItem(row).label);
    assert.deepEqual(labels, ['Attempt 1', 'test', 'lint', 'Changed Files']);
    const files = await kit.lanesTree.getChildren(rows.at(-1));
    assert.deepEqual(
      files.map((row) => kit.lanesTree.getTreeItem(row).label),
      ['show.md'],
    );
  });

  it('opens the changes of a lane as one review', async () => {
    await vscode.commands.executeCommand('agentkit.lane.reviewChanges', { run, lane: broken });
    const tab = await until('the review', () => vscode.window.tabGroups.activeTabGroup.activeTab);
    assert.match(tab.label, new RegExp(`^Review ${broken} \\(${lane(broken).head!.slice(0, 7)}\\)`));
    const base = vscode.Uri.file(path.join(lane(broken).path!, 'src', 'tax.mjs')).with({
      scheme: 'agentkit-rev',
      query: `path=src/tax.mjs&commit=${lane(broken).base!.sha}`,
    });
    const document = await vscode.workspace.openTextDocument(base);
    assert.match(document.getText(), /Math\.round/);
    assert.equal(vscode.workspace.fs.isWritableFileSystem('agentkit-rev'), false);
    await assert.rejects(async () =>
      vscode.workspace.fs.stat(base.with({ query: base.query.replace('tax', 'no') })),
    );
  });

  it('does not merge a lane whose gate failed', async () => {
    const main = revision(root, 'main');
    await vscode.commands.executeCommand('agentkit.lane.merge', { run, lane: broken });
    assert.equal(revision(root, 'main'), main);
    assert.equal(lane(broken).state, 'failed');
  });

  it('merges a lane that passed, after showing what that does', async () => {
    const dialog = await answerDialog('Merge', () =>
      vscode.commands.executeCommand('agentkit.lane.merge', { run, lane: tidy }),
    );
    assert.equal(dialog.message, `Merge ${tidy} into main?`);
    assert.match(dialog.detail, /notes\/show\.md/);
    assert.match(dialog.detail, /test: npm test/);
    assert.deepEqual(dialog.buttons, ['Merge', 'Review Changes']);
    await inState(tidy, 'merged');
    assert.equal(git(root, 'show', 'main:notes/show.md'), 'A note\n');
    const [item] = [kit.lanesTree.getTreeItem({ type: 'lane', run, lane: tidy })];
    assert.match(String(item.description), /^merged/);
  });

  it('tells with a badge how many lanes need the person', () => {
    assert.equal(kit.lanesTree.view.badge?.value, 1);
  });
});

function revision(folder: string, ref: string): string {
  return git(folder, 'rev-parse', ref).trim();
}

function git(folder: string, ...args: string[]): string {
  return execFileSync('git', args, { cwd: folder, encoding: 'utf8' });
}

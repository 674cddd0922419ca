import assert from 'node:assert/strict';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import type { ForTests } from '../../../src/extension.ts';
import { demoPlan } from './demoPlan.ts';
import { extensionUnderTest } from './extensionUnderTest.ts';
import { until } from './until.ts';

const root = vscode.workspace.workspaceFolders![0]!.uri.fsPath;
const made: string[] = [];

async function writePlan(name: string, text: string): Promise<vscode.Uri> {
  const file = path.join(root, 'plans', `${name}.yaml`);
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, text);
  made.push(file);
  return vscode.Uri.file(file);
}

/** The plan whose board is in front. */
function boardInFront(): string | undefined {
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  const isBoard = input instanceof vscode.TabInputCustom && input.viewType === 'agentkit.planBoard';
  return isBoard ? input.uri.fsPath : undefined;
}

/** What a person is told while something is done that is refused. */
async function refusalOf(act: () => Thenable<unknown>): Promise<string> {
  const real = vscode.window.showErrorMessage;
  const told: string[] = [];
  vscode.window.showErrorMessage = (message: string) => Promise.resolve(void told.push(message));
  try {
    await act();
  } finally {
    vscode.window.showErrorMessage = real;
  }
  return told.join('\n');
}

describe('plans and their boards', () => {
  let kit: ForTests;
  const runs = (name: string) => kit.services.lanes.runs.filter((run) => run.name === name);

  before(async () => {
    kit = await extensionUnderTest();
  });
  afterEach(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await Promise.all(made.splice(0).map((file) => rm(file, { force: true })));
  });

  it('opens a plan as its board, and the board of the plan in front', async () => {
    const plan = await writePlan('look', demoPlan('look', 0));
    await vscode.commands.executeCommand('agentkit.board.open', plan);
    assert.equal(boardInFront(), plan.fsPath);

    await vscode.window.showTextDocument(plan);
    assert.equal(boardInFront(), undefined);
    await vscode.commands.executeCommand('agentkit.board.open');
    assert.equal(boardInFront(), plan.fsPath);
  });

  it('starts a saved plan and shows its run on the same board', async () => {
    const plan = await writePlan('started', demoPlan('started', 0));
    const { document } = await vscode.window.showTextDocument(plan).then((editor) => {
      return editor.edit((edit) => edit.insert(new vscode.Position(0, 0), '# Edited\n')).then(() => editor);
    });
    assert.ok(document.isDirty);

    await vscode.commands.executeCommand('agentkit.plan.start', plan);

    assert.ok(!document.isDirty);
    assert.equal(boardInFront(), plan.fsPath);
    assert.equal(runs('started').length, 1);
    await until('the run ended', () => runs('started')[0]?.status === 'failed', 180);
  });

  it('refuses to start what a plan of overlapping writers would do, with both globs', async () => {
    const overlapping = demoPlan('overlap', 0).replace('[src/tax.mjs]', '[notes/overlap.md]');
    const plan = await writePlan('overlap', overlapping);

    const told = await refusalOf(() => vscode.commands.executeCommand('agentkit.plan.start', plan));

    assert.match(told, /notes\/\*\*/);
    assert.match(told, /notes\/overlap\.md/);
    assert.deepEqual(runs('overlap'), []);
  });

  it('refuses to start a plan with an error, with its line and column', async () => {
    const plan = await writePlan('wrong', demoPlan('wrong', 0).replace('kind: demo', 'knd: demo'));
    const told = await refusalOf(() => vscode.commands.executeCommand('agentkit.plan.start', plan));
    assert.match(told, /wrong\.yaml:10:5: /);
    assert.deepEqual(runs('wrong'), []);
  });

  it('marks errors in a plan where they are, until they are mended', async () => {
    const plan = await writePlan('marked', demoPlan('marked', 0).replace('base: main', 'bse: main'));
    const found = () => vscode.languages.getDiagnostics(plan);
    const editor = await vscode.window.showTextDocument(plan);
    const [problem] = await until('a diagnostic', () => found().length > 0 && found());
    assert.equal(problem!.range.start.line, 3);
    assert.equal(editor.document.getText(problem!.range), 'bse');
    assert.equal(problem!.source, 'AgentKit (plan)');

    await editor.edit((edit) => edit.replace(problem!.range, 'base'));
    await until('no diagnostic', () => found().length === 0);
    await editor.document.save();
  });

  it('completes keys of a job, and leaves other YAML files alone', async () => {
    const plan = await writePlan('typed', 'version: 1\nname: typed\njobs:\n  - id: a\n    \n');
    const other = path.join(root, 'other.yaml');
    made.push(other);
    await writeFile(other, 'jobs:\n  - id: a\n    \n');
    const labels = async (uri: vscode.Uri, line: number) => {
      await vscode.window.showTextDocument(uri);
      const list = await vscode.commands.executeCommand<vscode.CompletionList>(
        'vscode.executeCompletionItemProvider',
        uri,
        new vscode.Position(line, 4),
      );
      return list.items.map(({ label }) => (typeof label === 'string' ? label : label.label));
    };
    assert.ok((await labels(plan, 4)).includes('depends_on'));
    assert.ok(!(await labels(vscode.Uri.file(other), 2)).includes('depends_on'));
  });
});

import { commands, Range, Selection, window, workspace, WorkspaceEdit, type TextDocument } from 'vscode';
import type { RunView } from '../../core/lanes/laneView.ts';
import type { ToHost } from '../../protocol/boardMessages.ts';
import { editedPlan } from './editedPlan.ts';
import { minimalEdit } from './minimalEdit.ts';

type Request = Exclude<ToHost, { type: 'ready' }>;

/** Does what a judged message asks for; everything that acts is a command that the palette has too. */
export async function answerPage(
  message: Request,
  document: TextDocument,
  run: RunView | undefined,
): Promise<void> {
  switch (message.type) {
    case 'start':
      await commands.executeCommand('agentkit.plan.start', document.uri);
      return;
    case 'edit':
      await editPlan(document, message);
      return;
    case 'action':
      await commands.executeCommand(`agentkit.lane.${message.action}`, {
        type: 'lane',
        run: run?.run,
        lane: message.card,
      });
      return;
    case 'runAction':
      await runAction(message.action, run);
      return;
    case 'openSource':
      await openSource(document, message.line ?? 1, message.column ?? 1);
  }
}

async function runAction(action: string, run: RunView | undefined): Promise<void> {
  const ofBoard = action === 'showPlan' || action === 'showRun';
  if (ofBoard) await commands.executeCommand(`agentkit.board.${action}`);
  else await commands.executeCommand(`agentkit.run.${action}`, { type: 'run', run: run?.run });
}

async function editPlan(document: TextDocument, edit: Extract<Request, { type: 'edit' }>): Promise<void> {
  const before = document.getText();
  const { start, end, text } = minimalEdit(before, editedPlan(before, edit));
  const change = new WorkspaceEdit();
  change.replace(document.uri, new Range(document.positionAt(start), document.positionAt(end)), text);
  await workspace.applyEdit(change);
}

async function openSource(document: TextDocument, line: number, column: number): Promise<void> {
  const at = document.validatePosition(new Selection(line - 1, column - 1, line - 1, column - 1).active);
  await window.showTextDocument(document, { selection: new Range(at, at) });
}

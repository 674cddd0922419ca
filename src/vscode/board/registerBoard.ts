import { window, type ExtensionContext } from 'vscode';
import type { CustomEditorId } from '../../ids.ts';
import type { Services } from '../platform/services.ts';
import { BoardChoices } from './boardChoices.ts';
import { PlanBoardEditor } from './planBoardEditor.ts';

const viewType: CustomEditorId = 'agentkit.planBoard';

export interface Boards {
  editor: PlanBoardEditor;
  choices: BoardChoices;
}

/** Registers the board; plan commands get what it returns. */
export function registerBoard(context: ExtensionContext, services: Services): Boards {
  const choices = new BoardChoices(context.workspaceState);
  const editor = new PlanBoardEditor(services, choices);
  context.subscriptions.push(choices, window.registerCustomEditorProvider(viewType, editor));
  return { editor, choices };
}

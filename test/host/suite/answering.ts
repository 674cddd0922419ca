import * as vscode from 'vscode';

/** What the person answers when the editor asks, and what they then saw. */
export interface Answers {
  /** Label of the entry to choose, by the title of the pick. */
  pick?: string;
  /** Typed into an input box. */
  input?: string;
  /** Button of a warning that is modal. */
  confirm?: string;
}

export interface Asked {
  /** Entries of the picks, as `label | description | detail`. */
  entries: string[];
  /** What an input box said to each of these. */
  problem: (text: string) => unknown;
  /** Text and detail of the modal warning. */
  warning: string;
  /** Notifications that were not modal. */
  messages: string[];
}

/** Stands in for the person in front of picks, input boxes and dialogs, which a test host cannot answer. */
export async function answering(answers: Answers, act: () => Thenable<unknown>): Promise<Asked> {
  const asked: Asked = { entries: [], problem: () => undefined, warning: '', messages: [] };
  const window = vscode.window as unknown as Record<string, (...args: unknown[]) => unknown>;
  const real = { ...pickOf(window) };
  const message = (text: unknown, options: unknown) => {
    if (typeof options === 'object' && options !== null && 'modal' in options) {
      asked.warning = `${String(text)}\n${(options as vscode.MessageOptions).detail ?? ''}`;
      return Promise.resolve(answers.confirm);
    }
    asked.messages.push(String(text));
    return Promise.resolve(undefined);
  };
  Object.assign(window, {
    showQuickPick: (items: vscode.QuickPickItem[]) => {
      asked.entries = items.map(({ label, description = '', detail = '' }) =>
        [label, description, detail].join(' | '),
      );
      return Promise.resolve(items.find(({ label }) => label === answers.pick));
    },
    showInputBox: (options: vscode.InputBoxOptions) => {
      asked.problem = (text) => options.validateInput?.(text);
      return Promise.resolve(answers.input);
    },
    showWarningMessage: message,
    showInformationMessage: message,
    showErrorMessage: message,
  });
  try {
    await act();
    return asked;
  } finally {
    Object.assign(window, real);
  }
}

function pickOf(window: Record<string, (...args: unknown[]) => unknown>) {
  const { showQuickPick, showInputBox, showWarningMessage, showInformationMessage, showErrorMessage } =
    window;
  return { showQuickPick, showInputBox, showWarningMessage, showInformationMessage, showErrorMessage };
}

import * as vscode from 'vscode';

interface Dialog {
  message: string;
  detail: string;
  buttons: string[];
}

/**
 * A test host refuses modal dialogs, so the test stands in for the person: it notes what the next one says and gives
 * the answer. Other messages go their way.
 */
export async function answerDialog(answer: string, act: () => Thenable<unknown>): Promise<Dialog> {
  const shown: Dialog[] = [];
  const real = vscode.window.showInformationMessage;
  const stand = async (message: string, ...rest: unknown[]): Promise<unknown> => {
    const [options, ...buttons] = rest;
    if (typeof options !== 'object' || options === null || !('modal' in options)) {
      return (real as (...args: unknown[]) => Thenable<unknown>)(message, ...rest);
    }
    shown.push({
      message,
      detail: (options as vscode.MessageOptions).detail ?? '',
      buttons: buttons.map(String),
    });
    return answer;
  };
  vscode.window.showInformationMessage = stand;
  try {
    await act();
  } finally {
    vscode.window.showInformationMessage = real;
  }
  const [dialog] = shown;
  if (!dialog) throw new Error('No dialog was shown.');
  return dialog;
}

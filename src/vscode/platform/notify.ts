import { l10n, window, type LogOutputChannel } from 'vscode';
import { plainMessage } from './plainMessage.ts';

/** A button of a notification and what it does. */
export interface NotifyAction {
  label: string;
  run: () => unknown;
}

/** Notifications: the message says what to do and never holds a link; the detail goes to the log. */
export interface Notify {
  info: (message: string, ...actions: NotifyAction[]) => void;
  /** Without an action of its own it gets Show Log: the editor folds a message without a button to one line. */
  warn: (message: string, ...actions: NotifyAction[]) => void;
  /** Adds a Show Log button. */
  error: (message: string) => void;
}

export function createNotify(log: LogOutputChannel): Notify {
  const runChosen = (actions: NotifyAction[]) => (label: string | undefined) =>
    actions.find((action) => action.label === label)?.run();
  const labels = (actions: NotifyAction[]) => actions.map((action) => action.label);
  const showLog: NotifyAction = { label: l10n.t('Show Log'), run: () => log.show() };
  return {
    info: (message, ...actions) =>
      void window.showInformationMessage(plainMessage(message), ...labels(actions)).then(runChosen(actions)),
    warn: (message, ...own) => {
      const actions = own.length > 0 ? own : [showLog];
      void window.showWarningMessage(plainMessage(message), ...labels(actions)).then(runChosen(actions));
    },
    error: (message) =>
      void window.showErrorMessage(plainMessage(message), showLog.label).then(runChosen([showLog])),
  };
}

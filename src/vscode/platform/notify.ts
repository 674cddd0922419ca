import { l10n, window, type LogOutputChannel } from 'vscode';

/** A button of a notification and what it does. */
export interface NotifyAction {
  label: string;
  run: () => unknown;
}

/** Notifications: the message says what to do, the detail goes to the log. */
export interface Notify {
  info: (message: string, ...actions: NotifyAction[]) => void;
  warn: (message: string, ...actions: NotifyAction[]) => void;
  /** Adds a Show Log button. */
  error: (message: string) => void;
}

export function createNotify(log: LogOutputChannel): Notify {
  const runChosen = (actions: NotifyAction[]) => (label: string | undefined) =>
    actions.find((action) => action.label === label)?.run();
  const labels = (actions: NotifyAction[]) => actions.map((action) => action.label);
  return {
    info: (message, ...actions) =>
      void window.showInformationMessage(message, ...labels(actions)).then(runChosen(actions)),
    warn: (message, ...actions) =>
      void window.showWarningMessage(message, ...labels(actions)).then(runChosen(actions)),
    error: (message) => {
      const actions = [{ label: l10n.t('Show Log'), run: () => log.show() }];
      void window.showErrorMessage(message, ...labels(actions)).then(runChosen(actions));
    },
  };
}

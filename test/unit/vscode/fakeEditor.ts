import { registerHooks } from 'node:module';

// Only the editor provides `vscode`: modules that a test imports after this one get the few parts that are here.
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'vscode' ? { url: import.meta.url, shortCircuit: true } : next(specifier, context),
});

export class CancellationError extends Error {}

export class Disposable {
  readonly dispose: () => void;

  constructor(dispose: () => void) {
    this.dispose = dispose;
  }

  static from(...all: { dispose(): unknown }[]): Disposable {
    return new Disposable(() => {
      for (const each of all) each.dispose();
    });
  }
}

export class EventEmitter<T> {
  readonly #listeners = new Set<(event: T) => unknown>();
  readonly event = (listener: (event: T) => unknown): Disposable => {
    this.#listeners.add(listener);
    return new Disposable(() => void this.#listeners.delete(listener));
  };

  fire(event: T): void {
    for (const listener of this.#listeners) listener(event);
  }
}

/** What is only made, or asked for by `instanceof`. */
class Thing {
  readonly made: unknown[];

  constructor(...made: unknown[]) {
    this.made = made;
  }
}
export {
  Thing as MarkdownString,
  Thing as TabInputCustom,
  Thing as TabInputText,
  Thing as ThemeColor,
  Thing as ThemeIcon,
  Thing as TreeItem,
};

export class Uri {
  readonly fsPath: string;

  constructor(fsPath: string) {
    this.fsPath = fsPath;
  }

  get path(): string {
    return this.fsPath;
  }

  static file(path: string): Uri {
    return new Uri(path);
  }

  static joinPath({ fsPath }: Uri, ...below: string[]): Uri {
    return new Uri([fsPath, ...below].join('/'));
  }

  with(): this {
    return this;
  }
}

export const ProgressLocation = { Notification: 15, Window: 10 };
export const QuickPickItemKind = { Separator: -1 };
export const TreeItemCollapsibleState = { None: 0, Collapsed: 1, Expanded: 2 };

/** What was shown to the person, and the terminals that were made, since the last `startOver`. */
export const shown: { messages: string[]; terminals: { shellArgs: string[] }[]; questions: number } = {
  messages: [],
  terminals: [],
  questions: 0,
};

/** The window: trusted, with one folder. */
export function startOver(): void {
  Object.assign(shown, { messages: [], terminals: [], questions: 0 });
  workspace.isTrusted = true;
}

const show = (message: string): Promise<undefined> => {
  shown.messages.push(message);
  return Promise.resolve(undefined);
};
const ask = (): Promise<undefined> => {
  shown.questions += 1;
  return Promise.resolve(undefined);
};
const never = new EventEmitter<never>();
export const trust = new EventEmitter<undefined>();
/** Cancel on what is under way. */
export const cancel = new EventEmitter<undefined>();

export const l10n = {
  t: (message: string, ...args: (string | number)[]) =>
    message.replace(/\{(\d)\}/g, (_all, index: string) => String(args[Number(index)])),
};

export const window = {
  showInformationMessage: show,
  showWarningMessage: show,
  showErrorMessage: show,
  showQuickPick: ask,
  showInputBox: ask,
  showOpenDialog: ask,
  withProgress: (_options: object, act: (progress: object, token: object) => Promise<unknown>) =>
    act(
      { report: ({ message }: { message: string }) => shown.messages.push(message) },
      { onCancellationRequested: cancel.event, isCancellationRequested: false },
    ),
  onDidCloseTerminal: never.event,
  createTerminal: (options: { shellArgs: string[] }) => {
    shown.terminals.push(options);
    return { show: () => undefined, dispose: () => undefined, exitStatus: undefined };
  },
  createTreeView: () => ({ dispose: () => undefined, onDidChangeVisibility: never.event, visible: false }),
  tabGroups: { activeTabGroup: {}, onDidChangeTabs: never.event, onDidChangeTabGroups: never.event },
};

export const workspace = {
  isTrusted: true,
  workspaceFolders: [{ uri: { scheme: 'file', fsPath: '/repository' } }],
  findFiles: () => Promise.resolve([]),
  onDidGrantWorkspaceTrust: trust.event,
  onDidChangeConfiguration: never.event,
};

export const commands = { executeCommand: () => Promise.resolve(undefined) };
export const env = { language: 'en', clipboard: { writeText: () => Promise.resolve() } };

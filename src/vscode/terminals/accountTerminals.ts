import { join } from 'node:path';
import {
  Disposable,
  l10n,
  ThemeColor,
  ThemeIcon,
  window,
  workspace,
  type Terminal,
  type TerminalOptions,
} from 'vscode';
import { parseAccount } from '../../core/accounts/account.ts';
import { AgentKitError } from '../../core/agentKitError.ts';
import { postureEnvironment } from '../../core/safety/posture.ts';
import type { AccountDesk } from '../../engine/agentKit.ts';
import { reportFailure } from '../platform/reportFailure.ts';
import type { Services } from '../platform/services.ts';
import { registerSessionProfile } from './sessionProfile.ts';
import { terminalLook } from './terminalLook.ts';

type Needs = Pick<
  Services,
  'accounts' | 'desk' | 'extensionUri' | 'log' | 'notify' | 'requireTrust' | 'settings'
>;
type TerminalStart = Awaited<ReturnType<AccountDesk['login']>>;

/** Which session of the folder to go on with: the newest, or the one that the vendor's own screen lets choose. */
export type Resume = 'last' | 'choose';

/** A vendor's program in a terminal of ours. */
interface Shown {
  terminal?: Terminal;
  /** Called once with the exit code; undefined when the terminal was closed before the program ended. */
  ended: (code: number | undefined) => void;
}

/**
 * Vendors' own programs in integrated terminals: sessions under an account, and logins. They live and end with their
 * terminal; a session holds its account meanwhile. Their input and output never pass through us.
 */
export class AccountTerminals implements Disposable {
  readonly #services: Needs;
  readonly #shown = new Map<unknown, Shown>();
  readonly #sessions = new Map<string, TerminalOptions>();
  readonly #listeners: Disposable;

  /** @param chooseAccount Asks the person whose session a new terminal of the profile is. */
  constructor(services: Needs, chooseAccount: () => Promise<string>) {
    this.#services = services;
    this.#listeners = Disposable.from(
      registerSessionProfile(services, async () => this.sessionOptions(await chooseAccount())),
      window.onDidOpenTerminal((opened) => this.#note(opened)),
      window.onDidCloseTerminal((closed) => this.#end(closed)),
    );
  }

  dispose(): void {
    this.#listeners.dispose();
  }

  /** Opens the vendor's screen under an account, or shows the terminal that has it. @throws AgentKitError */
  async open(account: string, resume?: Resume): Promise<Terminal> {
    this.#services.requireTrust();
    const session = this.#sessions.get(account);
    const known = session && this.#shown.get(session)?.terminal;
    const terminal = known ?? window.createTerminal(await this.sessionOptions(account, resume));
    terminal.show();
    return terminal;
  }

  /**
   * A terminal of the vendor's screen, for whoever opens it. It runs `ak <kind> @profile`, which holds the account as
   * long as the screen is there, and keeps from it what would override the account.
   * @throws AgentKitError `conflict` when somebody else uses the account; as `AccountDesk.screen`
   */
  async sessionOptions(account: string, resume?: Resume): Promise<TerminalOptions> {
    const { accounts, desk, extensionUri, requireTrust, settings } = this.#services;
    requireTrust();
    const { kind, profile } = parseAccount(account);
    await accounts.load();
    if ((accounts.account(account)?.heldBy.length ?? 0) > 0) {
      throw new AgentKitError(
        'conflict',
        l10n.t('{0} is in use. Wait until that has ended, or choose another account.', account),
      );
    }
    // What is in the way would only flash by in the terminal.
    const posture = settings.asks() === null ? 'auto' : 'ask';
    await desk().screen(kind, profile, { posture, ...(resume !== undefined && { resume }) });
    const ak = join(extensionUri.fsPath, 'dist', 'ak.js');
    const which = { last: ['-c'], choose: ['-r'] };
    const argv = [process.execPath, ak, kind, profile, ...(resume === undefined ? [] : which[resume])];
    const env = { ELECTRON_RUN_AS_NODE: '1', ...postureEnvironment(posture) };
    const options = terminalOptions(account, { argv, env }, account);
    this.#sessions.set(account, options);
    this.#shown.set(options, { ended: (code) => this.#sessionEnded(account, code) });
    await accounts.noteSession(account, true);
    return options;
  }

  /**
   * Opens the vendor's own login for an account. Resolves when its terminal has ended, with the exit code; undefined
   * when the person closed it. @throws as `AccountDesk.login`
   */
  async logIn(account: string): Promise<number | undefined> {
    this.#services.requireTrust();
    const { kind, profile } = parseAccount(account);
    const start = await this.#services.desk().login(kind, profile);
    const options = terminalOptions(account, start, l10n.t('Log in: {0}', account));
    options.message = l10n.t("{0}: the vendor's own login, which AgentKit sees nothing of.", account);
    // A CLI without a word for it logs in on its own screen.
    if (start.argv.length === 1)
      options.message += l10n.t(' Type /login there, and leave it when you are done.');
    return new Promise((resolve) => {
      this.#shown.set(options, { ended: resolve });
      window.createTerminal(options).show();
    });
  }

  /** The editor hands the options of a terminal back with it: that is how ours are known. */
  #note(opened: Terminal): void {
    const shown = this.#shown.get(opened.creationOptions);
    if (!shown) return;
    shown.terminal = opened;
    // The editor leaves the first terminal of a profile behind a closed panel.
    opened.show();
  }

  #end(closed: Terminal): void {
    const shown = this.#shown.get(closed.creationOptions);
    this.#shown.delete(closed.creationOptions);
    shown?.ended(closed.exitStatus?.code);
  }

  #sessionEnded(account: string, code: number | undefined): void {
    this.#sessions.delete(account);
    const { accounts, notify } = this.#services;
    accounts.noteSession(account, false).catch((error: unknown) => this.#report(account, error));
    const ended =
      code === undefined || code === 0
        ? l10n.t('The session of {0} has ended; the account is free again.', account)
        : l10n.t(
            'The session of {0} has ended with exit code {1}; the account is free again.',
            account,
            code,
          );
    notify.info(ended, { label: l10n.t('Resume'), run: () => this.#resume(account) });
  }

  #report(account: string, error: unknown): void {
    reportFailure(this.#services, error, account);
  }

  #resume(account: string): void {
    this.open(account, 'last').catch((error: unknown) => this.#report(account, error));
  }
}

function terminalOptions(
  account: string,
  { argv, env, withheld = [] }: Pick<TerminalStart, 'argv' | 'env'> & Partial<TerminalStart>,
  name: string,
): TerminalOptions {
  const [shellPath = '', ...shellArgs] = argv;
  const look = terminalLook(parseAccount(account).kind);
  const folder = workspace.workspaceFolders?.find(({ uri }) => uri.scheme === 'file');
  return {
    name,
    shellPath,
    shellArgs,
    // Null takes an inherited variable away.
    env: { ...Object.fromEntries(withheld.map((variable) => [variable, null])), ...env },
    ...(folder && { cwd: folder.uri }),
    iconPath: new ThemeIcon(look.icon),
    color: new ThemeColor(look.color),
    // The editor's own revival would start the program a second time.
    isTransient: true,
  };
}

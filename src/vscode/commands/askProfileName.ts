import { CancellationError, l10n, window } from 'vscode';
import { isProfileName } from '../../core/accounts/account.ts';

/** The CLI's own home; both names mean it. */
const defaultNames = ['@default', '@1'];

/**
 * Asks for the name of a new account and judges it as it is typed. Returns it with its `@`.
 * @param taken Names that accounts of the kind have.
 * @throws CancellationError
 */
export async function askProfileName(label: string, taken: readonly string[]): Promise<string> {
  const typed = await window.showInputBox({
    title: l10n.t('Add Account: {0}', label),
    prompt: l10n.t('A name for the account, as plans and lanes will show it'),
    placeHolder: '@work2',
    value: '@',
    valueSelection: [1, 1],
    ignoreFocusOut: true,
    validateInput: (text) => profileNameProblem(withSign(text), taken),
  });
  if (typed === undefined) throw new CancellationError();
  return withSign(typed);
}

/** What is wrong with a name; undefined when it will do. */
export function profileNameProblem(name: string, taken: readonly string[]): string | undefined {
  if (!isProfileName(name))
    return l10n.t('Use 1 to 32 letters, digits, ".", "_" or "-", not starting with ".".');
  const same = (other: string) => other.toLowerCase() === name.toLowerCase();
  if (defaultNames.some(same)) return l10n.t("{0} means the CLI's own home; choose another name.", name);
  if (taken.some(same)) return l10n.t('{0} is there already; choose another name.', name);
  return undefined;
}

function withSign(text: string): string {
  const name = text.trim();
  return name.startsWith('@') ? name : `@${name}`;
}

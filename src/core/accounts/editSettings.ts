import { isMap, isScalar, parseDocument, type Document } from 'yaml';
import { yamlStyle } from '../plan/toYaml.ts';
import { normalAccount } from './account.ts';
import { parsePersonSettings, type ParsedSettings } from './parsePersonSettings.ts';
import { accountSetting, type AccountSetting } from './personSettings.ts';

/**
 * Sets what is given for an account in the text of a settings file and keeps its comments. The new text is read back:
 * if anything else changed with it (it may be shared by an alias), the edit is refused.
 */
export function editSettings(
  text: string,
  account: string,
  change: Partial<AccountSetting>,
): { text: string } | { problem: string } {
  const before = parsePersonSettings(text);
  if ('problems' in before) {
    const [first] = before.problems;
    return { problem: `${first?.line}:${first?.column} ${first?.message}` };
  }
  const wanted = { ...accountSetting(before.settings, account), ...change };
  const document = text.trim() === '' ? parseDocument('version: 1\n') : parseDocument(text);
  if (!isMap(document.contents)) document.contents = document.createNode({ version: 1 }) as never;
  const key = writtenKey(document, account);
  if (!isMap(document.get('accounts'))) document.set('accounts', document.createNode({}));
  for (const [name, value] of Object.entries(change)) {
    if (isMap(document.getIn(['accounts', key]))) document.setIn(['accounts', key, name], value);
    else document.setIn(['accounts', key], document.createNode({ [name]: value }));
  }
  const edited = document.toString(yamlStyle);
  const after = parsePersonSettings(edited);
  const expected = { ...before.settings, accounts: new Map(before.settings.accounts) };
  expected.accounts.set(normalAccount(account), wanted);
  if ('problems' in after || canonical(after.settings) !== canonical(expected)) {
    return { problem: `${account} cannot be changed alone here; edit the file` };
  }
  return { text: edited };
}

/** The account as the file already writes it. */
function writtenKey(document: Document, account: string): string {
  const accounts = document.get('accounts');
  const keys = isMap(accounts)
    ? accounts.items.flatMap(({ key }) => (isScalar(key) ? [String(key.value)] : []))
    : [];
  return keys.find((key) => normalAccount(key) === normalAccount(account)) ?? account;
}

function canonical({ permissions, accounts, defaultProfiles, denied, kinds }: ParsedSettings): string {
  const sorted = (map: ReadonlyMap<string, unknown>) => [...map].toSorted(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify([permissions, sorted(accounts), sorted(defaultProfiles), denied, kinds]);
}

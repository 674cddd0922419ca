import { delimiter, join } from 'node:path';
import { Disposable, l10n, workspace, type ExtensionContext } from 'vscode';
import type { SettingId } from '../../ids.ts';
import { reportFailure } from '../platform/reportFailure.ts';
import type { Services } from '../platform/services.ts';
import { installAk } from './akShim.ts';

const setting: SettingId = 'agentkit.terminal.addToPath';

/** Keeps `ak` on the PATH of new terminals as the setting says: at its end, so that the user's own stays, or in front. */
export function putAkOnPath(context: ExtensionContext, services: Services): Disposable {
  const variables = context.environmentVariableCollection;
  const apply = async () => {
    const where = services.settings.addToPath();
    if (where === 'never' || !workspace.isTrusted) return variables.clear();
    const bin = await installAk(context.globalStorageUri.fsPath, {
      dist: join(context.extensionPath, 'dist'),
      node: process.execPath,
    });
    variables.description = l10n.t('Adds the command `ak` of AgentKit');
    if (where === 'always') variables.prepend('PATH', bin + delimiter);
    else variables.append('PATH', delimiter + bin);
  };
  const start = () => void apply().catch((error: unknown) => reportFailure(services, error, setting));
  start();
  return Disposable.from(
    workspace.onDidGrantWorkspaceTrust(start),
    workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration(setting)) start();
    }),
  );
}

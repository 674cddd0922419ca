import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

export type Theme = 'light' | 'dark' | 'highContrast' | 'highContrastLight';

/** Those that VS Code starts with. */
const themeNames: Record<Theme, string> = {
  light: 'Light 2026',
  dark: 'Dark 2026',
  highContrast: 'Default High Contrast',
  highContrastLight: 'Default High Contrast Light',
};

/** Nothing here may move, ask or talk by itself while a test looks. */
const pinned = {
  'workbench.startupEditor': 'none',
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'workbench.tips.enabled': false,
  'workbench.enableExperiments': false,
  'window.commandCenter': false,
  'chat.disableAIFeatures': true,
  'editor.cursorBlinking': 'solid',
  'extensions.ignoreRecommendations': true,
  'git.autofetch': false,
  'git.openRepositoryInParentFolders': 'never',
  'telemetry.telemetryLevel': 'off',
  'update.mode': 'none',
};

/** Writes a profile's settings before the workbench starts; `settings` win over the pinned ones. */
export function writeUserSettings(
  userDataDir: string,
  settings: Record<string, unknown>,
  theme: Theme = 'dark',
): void {
  const folder = path.join(userDataDir, 'User');
  mkdirSync(folder, { recursive: true });
  const all = { ...pinned, 'workbench.colorTheme': themeNames[theme], ...settings };
  writeFileSync(path.join(folder, 'settings.json'), `${JSON.stringify(all, undefined, 2)}\n`);
}

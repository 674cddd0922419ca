// @ts-check
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** For the demo's own VS Code profile: plans open as boards, and nothing else asks for attention. */
const settings = {
  'workbench.editorAssociations': { '**/plans/*.yaml': 'agentkit.planBoard' },
  'workbench.startupEditor': 'none',
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'chat.disableAIFeatures': true,
  'extensions.ignoreRecommendations': true,
  'git.openRepositoryInParentFolders': 'never',
  'security.workspace.trust.enabled': false,
  'telemetry.telemetryLevel': 'off',
  'update.mode': 'none',
};

/** @param {string} userDataDir */
export function writeEditorSettings(userDataDir) {
  const folder = path.join(userDataDir, 'User');
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'settings.json'), `${JSON.stringify(settings, undefined, 2)}\n`);
}

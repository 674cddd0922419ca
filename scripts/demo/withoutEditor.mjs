// @ts-check

/**
 * Inside an editor's terminal these variables would make a VS Code talk to that editor instead of starting.
 *
 * @param {NodeJS.ProcessEnv} env
 * @returns {NodeJS.ProcessEnv}
 */
export function withoutEditor(env) {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !/^(VSCODE|ELECTRON)_/.test(name)));
}

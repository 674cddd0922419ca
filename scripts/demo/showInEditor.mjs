// @ts-check
import path from 'node:path';
import { serveToBrowser } from './serveToBrowser.mjs';
import { stopRuns } from './stopRuns.mjs';
import { findDesktop } from './findDesktop.mjs';
import { openDesktop } from './openDesktop.mjs';
import { untilInterrupted } from './untilInterrupted.mjs';
import { writeEditorSettings } from './writeEditorSettings.mjs';

/**
 * @typedef {object} Editor An open VS Code with the demo in it.
 * @property {Promise<unknown>} closed
 * @property {() => Promise<void>} stop Returns when none of its processes is left.
 */

/**
 * Shows the demo in the best VS Code at hand until it is closed or interrupted.
 *
 * @param {import('./ak.mjs').Place} place
 * @returns {Promise<number>} The exit code.
 */
export async function showInEditor(place) {
  const home = path.join(`${place.demo.repository}-accounts`, 'editor');
  const folders = { userDataDir: path.join(home, 'user'), extensionsDir: path.join(home, 'extensions') };
  writeEditorSettings(folders.userDataDir);
  const desktop = await findDesktop(place.toolchain);
  const editor = desktop ? await openDesktop(desktop, place, folders) : await serveToBrowser(place, folders);
  console.error(
    `The demo repository: ${place.demo.repository}\nPress Start on the board. Ctrl+C here ends the demo.`,
  );
  await untilInterrupted(editor.closed, async () => {
    await editor.stop();
    await stopRuns(place);
  });
  console.error(
    `Nothing of the demo runs any more. Its files stay in ${path.dirname(place.demo.repository)} until you delete them.`,
  );
  return 0;
}

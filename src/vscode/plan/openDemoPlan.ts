import { commands, Uri, workspace } from 'vscode';
import type { Services } from '../platform/services.ts';

/**
 * Shows the demo plan: on its board in the demo repository, anywhere else the one that ships with the extension, only to
 * read.
 */
export async function openDemoPlan(
  { extensionUri }: Pick<Services, 'extensionUri'>,
  openBoard: (plan: Uri) => Promise<void>,
): Promise<void> {
  const shipped = Uri.joinPath(extensionUri, 'media', 'demo', 'repo', 'plans', 'demo.yaml');
  const [own] = await workspace.findFiles('plans/demo.yaml', undefined, 1);
  if (own && firstLine(await workspace.fs.readFile(own)) === firstLine(await workspace.fs.readFile(shipped)))
    return openBoard(own);
  await commands.executeCommand('vscode.open', shipped);
  await commands.executeCommand('workbench.action.files.setActiveEditorReadonlyInSession');
}

/** By which the plan of the demo is known, also once a person has edited its jobs. */
function firstLine(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes).split('\n', 1)[0] ?? '';
}

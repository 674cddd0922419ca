import { existsSync } from 'node:fs';
import path from 'node:path';
import { installExtension } from '../../scripts/codeServer.mjs';
import { installCodeServer } from '../../scripts/installCodeServer.mjs';
import { prepareToolchain, repositoryRoot } from '../../scripts/toolchain.mjs';

/** What `npm run package` writes. */
const vsix = path.join(repositoryRoot, 'agentkit.vsix');

/** A browser-served VS Code with folders of its own, not yet started. */
export interface TestEditor {
  entry: string;
  node: string;
  env: NodeJS.ProcessEnv;
  userDataDir: string;
  extensionsDir: string;
}

/** Installs the packed extension the way a user does, into new folders below `scratch`. */
export function installPackedExtension(scratch: string, env: Record<string, string>): TestEditor {
  if (!existsSync(vsix))
    throw new Error(`${vsix} is missing. Run "npm run package" first; "npm run test:ui" does.`);
  const toolchain = prepareToolchain();
  const editor = {
    entry: installCodeServer(path.join(repositoryRoot, '.vscode-test'), toolchain.env),
    node: toolchain.node,
    env: { ...toolchain.env, ...env },
    userDataDir: path.join(scratch, 'user'),
    extensionsDir: path.join(scratch, 'extensions'),
  };
  installExtension(editor, vsix);
  return editor;
}

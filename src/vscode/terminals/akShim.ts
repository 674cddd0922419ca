import { constants } from 'node:fs';
import { chmod, copyFile, mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** What `ak` needs beside itself. */
const bundles = ['ak.js', 'supervisor.js', 'demoAgent.js'];

export interface AkSource {
  /** Folder of the extension's bundles. */
  dist: string;
  version: string;
  /** VS Code's own Node, for machines without a new enough one. */
  node: string;
}

/**
 * Puts a copy of `ak` below the storage folder, where it outlives updates of the extension, and a shim that runs it.
 * Returns the shim's folder.
 */
export async function installAk(storage: string, { dist, version, node }: AkSource): Promise<string> {
  const bin = join(storage, 'bin');
  const copy = join(storage, 'versions', version);
  await mkdir(bin, { recursive: true });
  await mkdir(copy, { recursive: true });
  for (const file of bundles) await copyOnce(join(dist, file), join(copy, file));
  const shim = join(bin, 'ak');
  const written = `${shim}.${process.pid}`;
  await writeFile(written, akShim(join(copy, 'ak.js'), node));
  await chmod(written, 0o755);
  await rename(written, shim);
  return bin;
}

/** A shell script: Node of the PATH when it is new enough, else VS Code's own. */
export function akShim(ak: string, node: string): string {
  return `#!/bin/sh
# ak of the AgentKit extension; written again at each start of VS Code.
ak=${quoted(ak)}
case "$(node --version 2>/dev/null)" in
v2[2-9].* | v[3-9][0-9].*) exec node "$ak" "$@" ;;
esac
ELECTRON_RUN_AS_NODE=1 exec ${quoted(node)} "$ak" "$@"
`;
}

/** A version's bundle never changes, and another window may be using it. */
async function copyOnce(from: string, to: string): Promise<void> {
  try {
    await copyFile(from, to, constants.COPYFILE_EXCL);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

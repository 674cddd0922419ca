import { createHash } from 'node:crypto';
import { chmod, mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** `ak`, the pieces that it loads, and the programs that it starts. */
const bundle = /^(ak(-.*)?|supervisor|demoAgent)\.js$/;

export interface AkSource {
  /** Folder of the extension's bundles. */
  dist: string;
  /** VS Code's own Node, for machines without a new enough one. */
  node: string;
}

/**
 * Puts a copy of `ak` below the storage folder, where it outlives updates of the extension, and a shim that runs it.
 * The copy's folder is named after its content: another build gets its own, while terminals may use this one.
 * Returns the shim's folder.
 */
export async function installAk(storage: string, { dist, node }: AkSource): Promise<string> {
  const bin = join(storage, 'bin');
  const bundles = (await readdir(dist)).filter((file) => bundle.test(file)).sort();
  const contents = await Promise.all(bundles.map((file) => readFile(join(dist, file))));
  const copy = join(storage, 'versions', hashOf(contents));
  await mkdir(bin, { recursive: true });
  await mkdir(copy, { recursive: true });
  for (const [index, file] of bundles.entries())
    await writeWhole(join(copy, file), contents[index] ?? '', 0o644);
  await writeWhole(join(bin, 'ak'), akShim(join(copy, 'ak.js'), node), 0o755);
  return bin;
}

/** A shell script: Node of the PATH when it is at least 22.13, else VS Code's own. */
export function akShim(ak: string, node: string): string {
  return `#!/bin/sh
# ak of the AgentKit extension; written again at each start of VS Code.
ak=${quoted(ak)}
case "$(node --version 2>/dev/null)" in
v22.1[3-9].* | v22.[2-9][0-9].* | v2[3-9].* | v[3-9][0-9].*) exec node "$ak" "$@" ;;
esac
ELECTRON_RUN_AS_NODE=1 exec ${quoted(node)} "$ak" "$@"
`;
}

function hashOf(contents: readonly Buffer[]): string {
  const hash = createHash('sha256');
  for (const content of contents) hash.update(`${content.length} `).update(content);
  return hash.digest('hex').slice(0, 16);
}

/** Others see the old file or the new one, never a part of it: another window may be doing the same. */
async function writeWhole(file: string, content: string | Buffer, mode: number): Promise<void> {
  const written = `${file}.${process.pid}`;
  await writeFile(written, content);
  await chmod(written, mode);
  await rename(written, file);
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

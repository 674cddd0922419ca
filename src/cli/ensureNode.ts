import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** Oldest Node with `node:sqlite`, which holds our locks. */
const oldest = [22, 13] as const;

/**
 * On a Node that is too old, runs the same command line with the toolchain's own Node, where a checkout has
 * one, and returns its exit status; undefined when this Node will do.
 */
export async function ensureNode(packageFolder: string): Promise<number | undefined> {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major > oldest[0] || (major === oldest[0] && minor >= oldest[1])) return undefined;
  const newer = join(
    packageFolder,
    'node_modules',
    `node-${process.platform}-${process.arch}`,
    'bin',
    'node',
  );
  if (!existsSync(newer)) {
    process.stderr.write(
      `ak needs Node ${oldest.join('.')} or newer; this is ${process.versions.node}. Install a newer Node.\n`,
    );
    return 3;
  }
  const { spawnSync } = await import('node:child_process');
  const { status } = spawnSync(newer, process.argv.slice(1), { stdio: 'inherit' });
  return status ?? 70;
}

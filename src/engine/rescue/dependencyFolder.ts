import { lstat } from 'node:fs/promises';
import { rawPath } from './byteNames.ts';

/** Folders that package managers and build tools fill, and fill again, whatever lies beside them. */
const always = new Set([
  'node_modules',
  'bower_components',
  '__pycache__',
  '.tox',
  '.nox',
  '.mypy_cache',
  '.pytest_cache',
  '.ruff_cache',
  '.gradle',
  '.terraform',
]);

/** Names that mean such a folder only beside, or with, a file that says so. */
const proven: Record<string, { beside?: readonly string[]; inside?: string }> = {
  target: { beside: ['Cargo.toml', 'pom.xml', 'build.sbt'], inside: 'CACHEDIR.TAG' },
  Pods: { beside: ['Podfile'] },
  vendor: { beside: ['composer.json', 'Gemfile', 'go.mod'] },
  deps: { beside: ['mix.exs'] },
  '.venv': { inside: 'pyvenv.cfg' },
  venv: { inside: 'pyvenv.cfg' },
};

/**
 * Whether an ignored folder holds only what a command brings back: the caller knows that git ignores it.
 * @param beside names in the folder's parent
 */
export async function isDependencyFolder(
  folder: string,
  path: string,
  beside: ReadonlySet<string>,
): Promise<boolean> {
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (always.has(name)) return true;
  const proof = Object.hasOwn(proven, name) ? proven[name] : undefined;
  if (proof === undefined) return false;
  if (proof.beside?.some((other) => beside.has(other))) return true;
  if (proof.inside === undefined) return false;
  return lstat(rawPath(folder, `${path}/${proof.inside}`)).then(
    (found) => found.isFile(),
    () => false,
  );
}

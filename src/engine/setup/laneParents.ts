import { chmod, lstat, mkdir, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isInside } from '../git/realPathOf.ts';
import { nullIfAbsent } from './findCopies.ts';

/** Makes the folders above what is put into a lane, each looked at once. Nothing is ever put out through a link. */
export class LaneParents {
  readonly #lane: string;
  readonly #root: string;
  readonly #known = new Map<string, Promise<string | null>>();

  /** @param lane Top folder of the lane. @param root Of the main checkout, whose modes are kept. Links resolved in both. */
  constructor(lane: string, root: string) {
    this.#lane = lane;
    this.#root = root;
  }

  /** Why there can be no folder for this path; null when there is one. */
  async above(path: string): Promise<string | null> {
    const end = path.lastIndexOf('/');
    return end < 0 ? null : this.#folder(path.slice(0, end));
  }

  #folder(path: string): Promise<string | null> {
    const known = this.#known.get(path) ?? this.#make(path);
    this.#known.set(path, known);
    return known;
  }

  async #make(path: string): Promise<string | null> {
    const why = await this.above(path);
    if (why !== null) return why;
    const folder = join(this.#lane, path);
    const there = await lstat(folder).catch(nullIfAbsent);
    if (there === null) {
      const { mode } = await stat(join(this.#root, path));
      await mkdir(folder);
      // Whatever its mode is, it has to be filled.
      await chmod(folder, (mode & 0o777) | 0o700);
      return null;
    }
    if (there.isDirectory()) return null;
    if (!there.isSymbolicLink()) return `${path} is a file in the lane`;
    const real = await realpath(folder).catch(nullIfAbsent);
    if (real === null) return `${path} is a link in the lane that leads nowhere`;
    if (!isInside(real, this.#lane)) return `${path} is a link in the lane that leads out of it`;
    return (await stat(real)).isDirectory() ? null : `${path} is a file in the lane`;
  }
}

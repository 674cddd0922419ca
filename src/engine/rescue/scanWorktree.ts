import { AgentKitError } from '../../core/agentKitError.ts';
import { git } from '../git/plumbing.ts';
import { splitNul } from '../git/splitNul.ts';
import { fromText, parentOf } from './byteNames.ts';
import { isAsPlaced } from './isAsPlaced.ts';
import { isDependencyFolder } from './dependencyFolder.ts';
import { ignoredInNested, ignoredPaths } from './ignoredPaths.ts';
import { isWorktreeLink, type LaneFolder } from './laneFolder.ts';
import { statIfThere } from './ifThere.ts';
import { scanFolder, type Choice, type Entry } from './scanFolder.ts';

/** Everything in a lane's folder, sorted by where it is kept. */
export interface Worktree {
  /** Whether somebody deleted the folder. */
  gone: boolean;
  /** Goes into the commit: what git tracks and what it does not ignore, folders too. */
  kept: Entry[];
  /** Goes into the archive. `root` is the path that git ignores, the entry's own or one above it. */
  ignored: { entry: Entry; root: string }[];
  /** Raw paths of what is left out on purpose: what we put there and is still that, and dependency folders. */
  leftOut: string[];
  special: Entry[];
  /** Raw paths of repositories inside, submodules among them. */
  nested: string[];
}

/** What holds for the content of one folder. */
interface Rules {
  /** The ignored path that the folder lies in or is; null when it goes into the commit. */
  root: string | null;
  /** What git ignores in it. */
  ignored: 'all' | ReadonlySet<string>;
  /** Whether it is, or lies in, a repository's own `.git`: all of that is kept, nothing in it has a meaning. */
  raw: boolean;
}

/**
 * Looks through a lane's folder without following links.
 * @param leaveOut paths, from the lane's top, that are passed over unless git tracks them or they are not any more what
 * the main checkout has there
 * @throws AgentKitError `refused` when something else is in the folder's place, `not_accessible`
 */
export async function scanWorktree(lane: LaneFolder, leaveOut: readonly string[]): Promise<Worktree> {
  const result: Worktree = { gone: false, kept: [], ignored: [], leftOut: [], special: [], nested: [] };
  const there = await statIfThere(lane.path);
  if (there === null) return { ...result, gone: true };
  if (!there.isDirectory()) {
    throw new AgentKitError(
      'refused',
      `${lane.path} is not the lane's folder any more but a ${there.isSymbolicLink() ? 'link' : 'file'}; put the folder back in its place`,
    );
  }
  const sorter = new Sorter(lane, result, await untracked(lane, leaveOut), await ignoredPaths(lane));
  const linked = await isWorktreeLink(lane);
  const found = await scanFolder(lane.path, (entry, names) =>
    linked && entry.path === '.git' ? 'skip' : sorter.choose(entry, names),
  );
  for (const entry of found) {
    const root = sorter.rootOf(entry.path);
    if (root === undefined) result.kept.push(entry);
    else result.ignored.push({ entry, root });
  }
  return result;
}

/** Decides for each entry, parents before children, where it belongs. */
class Sorter {
  readonly #lane: LaneFolder;
  readonly #result: Worktree;
  readonly #left: ReadonlySet<string>;
  readonly #rules = new Map<string, Rules>();
  readonly #roots = new Map<string, string>();

  constructor(lane: LaneFolder, result: Worktree, left: ReadonlySet<string>, ignored: ReadonlySet<string>) {
    this.#lane = lane;
    this.#result = result;
    this.#left = left;
    this.#rules.set('', { root: null, ignored, raw: false });
  }

  /** The ignored path that an entry belongs to. */
  rootOf(path: string): string | undefined {
    return this.#roots.get(path);
  }

  async choose(entry: Entry, names: ReadonlySet<string>): Promise<Choice> {
    const { path, kind } = entry;
    if (this.#left.has(path) && (await isAsPlaced(this.#lane.root, this.#lane.path, entry)))
      return this.#leaveOut(path);
    if (kind === 'special') {
      this.#result.special.push(entry);
      return 'skip';
    }
    const parent = parentOf(path);
    const isGit = path.endsWith('.git') && path.slice(parent.length).replace(/^\//, '') === '.git';
    const outer = await this.#rulesOf(parent, names);
    const ignored = !isGit && (outer.ignored === 'all' || outer.ignored.has(path));
    const root = outer.root ?? (ignored ? path : null);
    if (kind === 'folder') {
      if (ignored && (await isDependencyFolder(this.#lane.path, path, names))) return this.#leaveOut(path);
      const raw = outer.raw || isGit;
      const inner = raw ? new Set<string>() : ignored ? 'all' : outer.ignored;
      this.#rules.set(path, { root, ignored: inner, raw });
    }
    if (root !== null) this.#roots.set(path, root);
    return 'keep';
  }

  #leaveOut(path: string): Choice {
    this.#result.leftOut.push(path);
    return 'skip';
  }

  /** The rules of a folder; those of its own once its names show that it is a repository. */
  async #rulesOf(folder: string, names: ReadonlySet<string>): Promise<Rules> {
    const rules = this.#rules.get(folder);
    if (rules === undefined) throw new Error('A folder is looked at before its content');
    const { nested } = this.#result;
    if (folder === '' || rules.raw || !names.has('.git') || nested.includes(folder)) return rules;
    nested.push(folder);
    const own = { ...rules, ignored: await ignoredInNested(this.#lane, folder) };
    this.#rules.set(folder, own);
    return own;
  }
}

/** Of the paths that were put there by us, those that git does not track. */
async function untracked(lane: LaneFolder, leaveOut: readonly string[]): Promise<Set<string>> {
  const wanted = leaveOut.map((path) => path.replace(/^(\.\/)+|\/+$/g, '')).filter((path) => path !== '');
  if (wanted.length === 0) return new Set();
  const args = ['--literal-pathspecs', 'ls-files', '-z', '--cached', '--', ...wanted];
  const { stdout } = await git(lane.path, args, { env: lane.env });
  const tracked = splitNul(stdout).map((path) => path.toString('latin1'));
  const isTracked = (path: string) => tracked.some((other) => other === path || other.startsWith(`${path}/`));
  return new Set(wanted.map(fromText).filter((path) => !isTracked(path)));
}

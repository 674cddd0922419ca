/** A commit of the model: what it comes after and the files that its tree holds. Files are never changed or deleted. */
export interface Commit {
  parents: readonly string[];
  files: ReadonlySet<string>;
}

export interface Worktree {
  branch: string;
  /** What only AgentKit knows of a worktree of its own. */
  nonce: string;
  /** What lies in its folder, committed or not. */
  files: Set<string>;
}

/**
 * As much of git as lanes need: refs, commits, worktrees with uncommitted work. Whether git truly does so is tested
 * against git itself (test/engine/git/model.test.ts).
 */
export class Git {
  readonly commits = new Map<string, Commit>([['t0', { parents: [], files: new Set() }]]);
  readonly refs = new Map<string, string>([['main', 't0']]);
  readonly worktrees = new Map<string, Worktree>();
  /** Every piece of work that there ever was. */
  readonly written = new Set<string>();
  /** Counts changes, so that nothing is looked at twice. */
  version = 0;

  /** A commit that holds what its parents hold, and more; no ref stands on it yet. */
  commit(parents: readonly string[], more: Iterable<string> = []): string {
    const made = `c${this.commits.size}`;
    const files = new Set([...parents.flatMap((parent) => [...this.filesOf(parent)]), ...more]);
    this.commits.set(made, { parents, files });
    return made;
  }

  filesOf(commit: string): ReadonlySet<string> {
    return this.commits.get(commit)?.files ?? new Set();
  }

  isAncestor(ancestor: string, commit: string): boolean {
    const parents = this.commits.get(commit)?.parents ?? [];
    return ancestor === commit || parents.some((parent) => this.isAncestor(ancestor, parent));
  }

  setRef(ref: string, commit: string): void {
    this.version += 1;
    this.refs.set(ref, commit);
  }

  deleteRef(ref: string): void {
    this.version += 1;
    this.refs.delete(ref);
  }

  /** On a branch that is there, else on a new one at `base`. */
  addWorktree(path: string, branch: string, base: string, nonce = ''): void {
    if (this.worktrees.has(path)) throw new Error(`${path} is there already`);
    const used = [...this.worktrees.values()].some((each) => each.branch === branch);
    if (used) throw new Error(`${branch} is checked out already`);
    if (!this.refs.has(branch)) this.setRef(branch, base);
    this.version += 1;
    this.worktrees.set(path, { branch, nonce, files: new Set(this.filesOf(this.refs.get(branch) ?? '')) });
  }

  /** Takes the folder away with all that lies in it; its branch stays. */
  removeWorktree(path: string): void {
    this.version += 1;
    this.worktrees.delete(path);
  }

  write(path: string, file: string): void {
    this.version += 1;
    this.written.add(file);
    this.worktrees.get(path)?.files.add(file);
  }

  dirty(path: string): string[] {
    const worktree = this.worktrees.get(path);
    if (worktree === undefined) return [];
    const committed = this.filesOf(this.refs.get(worktree.branch) ?? '');
    return [...worktree.files].filter((file) => !committed.has(file));
  }

  /** Commits all that is dirty, if anything is. */
  commitAll(path: string): void {
    const worktree = this.worktrees.get(path);
    const dirty = this.dirty(path);
    if (worktree === undefined || dirty.length === 0) return;
    this.setRef(worktree.branch, this.commit([this.refs.get(worktree.branch) ?? ''], dirty));
  }

  /** Moves a ref to what it and another commit hold together: forward where that is enough. */
  merge(ref: string, head: string, forward: boolean): void {
    const from = this.refs.get(ref) ?? '';
    if (this.isAncestor(head, from)) return;
    const ahead = forward && this.isAncestor(from, head);
    this.setRef(ref, ahead ? head : this.commit([from, head]));
  }

  /** All that a worktree holds, uncommitted work too, as a commit under a ref; the worktree stays as it is. */
  rescue(path: string, ref: string): string {
    const worktree = this.worktrees.get(path);
    if (worktree === undefined) throw new Error(`${path} is not there`);
    const made = this.commit([this.refs.get(worktree.branch) ?? ''], worktree.files);
    this.setRef(ref, made);
    return made;
  }

  /** Work that neither a ref nor a worktree holds any more. */
  lost(): string[] {
    const kept = new Set([...this.worktrees.values()].flatMap(({ files }) => [...files]));
    for (const commit of this.refs.values()) for (const file of this.filesOf(commit)) kept.add(file);
    return [...this.written].filter((file) => !kept.has(file));
  }
}

import { createHash } from 'node:crypto';
import { execFileSync } from 'node:child_process';
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tempRepository } from './tempRepository.ts';

/** What the model of git can do, done by git in one real repository. Names of refs and worktrees are the model's. */
export class RealGit {
  readonly #repository = tempRepository();
  /** A commit that holds nothing, as the model begins. */
  readonly first: string;

  constructor() {
    const empty = this.#git(['hash-object', '-t', 'tree', '-w', '--stdin']);
    this.first = this.#git(['commit-tree', empty, '-m', 'First']);
  }

  setRef(ref: string, commit: string): void {
    this.#git(['update-ref', fullName(ref), commit]);
  }

  deleteRef(ref: string): void {
    this.#git(['update-ref', '-d', fullName(ref)]);
  }

  addWorktree(path: string, branch: string, base: string | null): void {
    const from = base === null ? [this.#folder(path), branch] : ['-b', branch, this.#folder(path), base];
    this.#git(['worktree', 'add', '--quiet', ...from]);
  }

  removeWorktree(path: string): void {
    this.#git(['worktree', 'remove', '--force', this.#folder(path)]);
  }

  write(path: string, file: string): void {
    writeFileSync(join(this.#folder(path), file), file);
  }

  commitAll(path: string): void {
    const cwd = this.#folder(path);
    this.#git(['add', '--all'], { cwd });
    try {
      this.#git(['commit', '--quiet', '-m', 'Work'], { cwd });
    } catch (error) {
      // It refuses to commit nothing.
      if ((error as { status?: number }).status !== 1) throw error;
    }
  }

  merge(ref: string, head: string, forward: boolean): void {
    const [into, from] = [fullName(ref), fullName(head)];
    const [behind, ahead] = this.#git(['rev-list', '--left-right', '--count', `${into}...${from}`]).split(
      '\t',
    );
    if (ahead === '0') return;
    if (forward && behind === '0') return void this.#git(['update-ref', into, from]);
    const tree = this.#git(['merge-tree', '--write-tree', into, from]);
    const commit = this.#git(['commit-tree', tree, '-p', into, '-p', from, '-m', 'Merge']);
    this.#git(['update-ref', into, commit]);
  }

  /** With an index of its own, so that the worktree's stays as it is. */
  rescue(path: string, ref: string): void {
    const cwd = this.#folder(path);
    const index = join(this.#repository.folder, 'index');
    const env = { GIT_INDEX_FILE: index };
    this.#git(['add', '--all'], { cwd, env });
    const tree = this.#git(['write-tree'], { cwd, env });
    rmSync(index);
    this.#git([
      'update-ref',
      fullName(ref),
      this.#git(['commit-tree', tree, '-p', 'HEAD', '-m', 'Rescue'], { cwd }),
    ]);
  }

  /** Commits by ref, of the names that the model uses. */
  refs(): Map<string, string> {
    const lines = this.#git(['for-each-ref', '--format=%(refname) %(objectname)']).split('\n');
    const named = lines.map((line) => line.split(' ') as [string, string]);
    const own = named.filter(([name]) => name !== 'refs/heads/main');
    return new Map(own.map(([name, commit]) => [name.replace(/^refs\/(heads|agentkit)\//, ''), commit]));
  }

  /** Parents and files of every commit that a ref reaches. */
  commits(): Map<string, { parents: string[]; files: string[] }> {
    const lines = this.#git(['rev-list', '--parents', '--all']).split('\n');
    const found = lines.map((line) => line.split(' '));
    const trees = this.#trees(found.map(([commit = '']) => commit));
    return new Map(
      found.map(([commit = '', ...parents], at) => [commit, { parents, files: trees[at] ?? [] }]),
    );
  }

  /** Branch, uncommitted files and all files of every worktree but the main one. */
  worktrees(): Map<string, { branch: string; dirty: string[]; files: string[] }> {
    const blocks = this.#git(['worktree', 'list', '--porcelain', '-z']).split('\0\0').slice(1);
    return new Map(
      blocks.filter(Boolean).map((block) => {
        const lines = block.split('\0');
        const value = (key: string) =>
          lines.find((line) => line.startsWith(`${key} `))?.slice(key.length + 1) ?? '';
        const cwd = value('worktree');
        const status = this.#git(['status', '--porcelain', '-z'], { cwd }).split('\0').filter(Boolean);
        const files = readdirSync(cwd).filter((name) => name !== '.git');
        const branch = value('branch').replace('refs/heads/', '');
        return [
          cwd.slice(cwd.lastIndexOf('/') + 1),
          { branch, dirty: status.map((line) => line.slice(3)), files },
        ];
      }),
    );
  }

  /** Which of these files' contents git still has once all that nothing reaches was thrown away. */
  keptAfterCollection(files: readonly string[]): string[] {
    this.#git(['reflog', 'expire', '--all', '--expire=now', '--expire-unreachable=now']);
    this.#git(['gc', '--quiet', '--prune=now']);
    this.#git(['fsck', '--connectivity-only']);
    const ids = files.map((file) => createHash('sha1').update(`blob ${file.length}\0${file}`).digest('hex'));
    const answers = this.#git(['cat-file', '--batch-check'], { input: `${ids.join('\n')}\n` }).split('\n');
    return files.filter((_, at) => answers[at]?.endsWith('missing') === false);
  }

  remove(): void {
    this.#repository.remove();
  }

  #folder(path: string): string {
    return join(this.#repository.lanes, path);
  }

  /** Names in the flat trees of these commits. */
  #trees(commits: readonly string[]): string[][] {
    const input = commits.map((commit) => `${commit}^{tree}\n`).join('');
    const bytes = this.#raw(['cat-file', '--batch'], { input });
    let at = 0;
    return commits.map(() => {
      const head = bytes.indexOf('\n', at);
      const size = Number(bytes.toString('latin1', at, head).split(' ')[2]);
      const tree = bytes.subarray(head + 1, head + 1 + size);
      at = head + size + 2;
      return namesIn(tree);
    });
  }

  #git(args: string[], options: Options = {}): string {
    return this.#raw(args, options).toString('utf8').replace(/\n$/, '');
  }

  #raw(args: string[], { cwd = this.#repository.root, env = {}, input = '' }: Options = {}): Buffer {
    const settings = ['-c', 'gc.auto=0', '-c', 'commit.gpgSign=false', '-c', 'core.fsync=none'];
    const words = { cwd, input, env: { ...process.env, ...env }, stdio: ['pipe', 'pipe', 'pipe'] as const };
    return execFileSync('git', [...settings, ...args], {
      ...words,
      stdio: [...words.stdio],
      maxBuffer: 2 ** 28,
    });
  }
}

interface Options {
  cwd?: string;
  env?: Record<string, string>;
  input?: string;
}

function fullName(ref: string): string {
  return ref.startsWith('rescue/') ? `refs/agentkit/${ref}` : `refs/heads/${ref}`;
}

/** An entry is its mode, its name, a zero byte and 20 bytes of an id. */
function namesIn(tree: Buffer): string[] {
  const names: string[] = [];
  for (let at = 0; at < tree.length;) {
    const end = tree.indexOf(0, at);
    names.push(tree.toString('utf8', tree.indexOf(' ', at) + 1, end));
    at = end + 21;
  }
  return names;
}

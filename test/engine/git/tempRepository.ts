import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { LaneRequest } from '../../../src/engine/git/createLane.ts';

/** A real repository in a folder of its own, whose name has everything that careless quoting breaks on. */
export interface TempRepository {
  /** Holds the repository and its lanes; removed by `remove`. */
  folder: string;
  root: string;
  commonDir: string;
  lanes: string;
  /** Output of the user's own git, in the main checkout or in `cwd`. */
  git(args: string[], cwd?: string): string;
  /** Writes files, in the main checkout or in `cwd`. */
  write(files: Record<string, string | Buffer>, cwd?: string): void;
  /** Writes and commits files. Returns the commit. */
  commit(files: Record<string, string | Buffer>, message?: string, cwd?: string): string;
  /** A request for a lane that starts from the current commit. */
  lane(id: string, more?: Partial<LaneRequest>): LaneRequest;
  remove(): void;
}

export function tempRepository(options: { branch?: string; name?: string } = {}): TempRepository {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'agentkit-git-')));
  const root = join(folder, options.name ?? `it's a "repo" ü`);
  mkdirSync(root);
  const git = (args: string[], cwd = root) => runGit(cwd, args);
  const write = (files: Record<string, string | Buffer>, cwd = root) => {
    for (const [path, content] of Object.entries(files)) {
      mkdirSync(dirname(join(cwd, path)), { recursive: true });
      writeFileSync(join(cwd, path), content);
    }
  };
  git(['init', '--quiet', '-b', options.branch ?? 'main']);
  git(['config', 'user.name', 'Ada Ümlaut']);
  git(['config', 'user.email', 'ada@example.com']);
  const commit = (files: Record<string, string | Buffer>, message = 'Change', cwd = root) => {
    write(files, cwd);
    git(['add', '--all', '--force'], cwd);
    git(['commit', '--quiet', '--allow-empty', '-m', message], cwd);
    return git(['rev-parse', 'HEAD'], cwd);
  };
  commit({ 'README.md': '# Demo\n', 'src/a.txt': 'a\n', 'src/b.txt': 'b\n' }, 'First');
  const lanes = join(folder, 'lanes ü');
  const commonDir = join(root, '.git');
  const lane = (id: string, more: Partial<LaneRequest> = {}): LaneRequest => ({
    root,
    commonDir,
    branch: `lane/${id}`,
    path: join(lanes, id),
    base: git(['rev-parse', 'HEAD']),
    run: 'run1',
    lane: id,
    nonce: `nonce-of-${id}`,
    trusted: true,
    ...more,
  });
  const remove = () => rmSync(folder, { recursive: true, force: true });
  return { folder, root, commonDir, lanes, git, write, commit, lane, remove };
}

/** Runs git as a user would, outside of the module under test. Throws with its words when it fails. */
export function runGit(cwd: string, args: string[]): string {
  const own = ['-c', 'core.quotePath=false', '-c', 'commit.gpgSign=false'];
  return execFileSync('git', [...own, ...args], {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  }).replace(/\n$/, '');
}

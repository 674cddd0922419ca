import { appendFile, mkdir, readFile, readlink, realpath, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { AgentKitError, messageOf } from '../../core/agentKitError.ts';
import { git } from '../git/plumbing.ts';

/** The files that the demo agent may touch: those below the folder it was started in, links followed. */
export class DemoWorkspace {
  readonly #root: string;
  readonly #touched: Set<string>;

  /** @param touched What it touched in the same piece of work before and has still to commit. */
  constructor(root: string, touched: readonly string[] = []) {
    this.#root = root;
    this.#touched = new Set(touched);
  }

  async write(path: string, content: string): Promise<void> {
    await writeFile(await this.#prepare(path), content);
  }

  async append(path: string, content: string): Promise<void> {
    await appendFile(await this.#prepare(path), content);
  }

  /** @throws AgentKitError `not_found` when the text is not in the file */
  async replace(path: string, find: string, replacement: string): Promise<void> {
    const file = await this.#prepare(path);
    const text = await readFile(file, 'utf8').catch(() => {
      throw new AgentKitError('not_found', `${path} cannot be read, so nothing can be replaced in it`);
    });
    const at = text.indexOf(find);
    if (at < 0) {
      throw new AgentKitError(
        'not_found',
        `${path} does not contain the text to replace: ${JSON.stringify(find)}`,
      );
    }
    await writeFile(file, text.slice(0, at) + replacement + text.slice(at + find.length));
  }

  /** @throws AgentKitError `not_found` when there is nothing to remove */
  async remove(path: string): Promise<void> {
    await rm(await this.#prepare(path)).catch((error: unknown) => {
      throw new AgentKitError('not_found', `${path} cannot be removed: ${messageOf(error)}`);
    });
  }

  /** Removes a file that is none of its own work; false when it is not there. */
  async takeAway(path: string): Promise<boolean> {
    const file = await this.#locate(path);
    return rm(file).then(
      () => true,
      () => false,
    );
  }

  /** Commits what was touched so far, where it is not as it was committed before. @throws AgentKitError `git_failed` */
  async commit(message: string): Promise<void> {
    if (this.#touched.size === 0) {
      throw new AgentKitError('git_failed', 'There is nothing to commit: no file was touched before');
    }
    await this.#git(['add', '--all', '--', ...this.#touched]);
    const differs = await this.#git(['diff', '--cached', '--quiet', '--', ...this.#touched], [0, 1]);
    if (differs === 1) await this.#git(['commit', '--quiet', '--message', message, '--', ...this.#touched]);
    this.#touched.clear();
  }

  async #git(args: string[], okCodes = [0]): Promise<number> {
    const options = { hooks: true, discover: true, okCodes };
    return (await git(this.#root, ['--literal-pathspecs', ...args], options)).code;
  }

  /** Where a path leads; the folders on the way are made. @throws AgentKitError `refused` when it leads out */
  async #prepare(path: string): Promise<string> {
    const file = await this.#locate(path);
    await mkdir(dirname(file), { recursive: true });
    this.#touched.add(path);
    return file;
  }

  /** Where a path leads. @throws AgentKitError `refused` when it leads out */
  async #locate(path: string): Promise<string> {
    const root = await realpath(this.#root);
    const file = resolve(root, path);
    this.#requireInside(root, file, path);
    this.#requireInside(root, await realpathOfExisting(file), path);
    return file;
  }

  #requireInside(root: string, file: string, path: string): void {
    const below = relative(root, file);
    if (below === '' || below === '..' || below.startsWith(`..${sep}`) || below.split(sep)[0] === '.git') {
      throw new AgentKitError('refused', `${path} leads out of the folder of this piece of work`);
    }
  }
}

/** Where a path really leads; what does not exist yet counts as lying where it would be made. */
async function realpathOfExisting(file: string): Promise<string> {
  try {
    return await realpath(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') {
      throw error;
    }
    const link = await readlink(file).catch(() => null);
    return link === null
      ? join(await realpathOfExisting(dirname(file)), basename(file))
      : realpathOfExisting(resolve(dirname(file), link));
  }
}

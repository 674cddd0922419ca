import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { placeFiles, type Placed, type PlaceRequest } from '../../../src/engine/setup/placeFiles.ts';
import { tempRepository } from '../git/tempRepository.ts';

/** A repository with things to place, and a fresh lane of it for each test. */
export class LaneFixture {
  readonly repository = tempRepository();
  readonly root = this.repository.root;
  /** A folder beside them, with `secret` in it. */
  readonly outside = join(this.repository.folder, 'outside');
  lane = '';
  #lanes = 0;

  constructor() {
    mkdirSync(this.outside);
    writeFileSync(join(this.outside, 'secret'), 'of somebody else\n');
    const ignored = '.env*\n/local/\nnode_modules/\n';
    this.repository.commit({ '.gitignore': ignored, 'config/base.json': '{}\n' });
  }

  begin(): void {
    this.lane = join(this.repository.lanes, `lane-${(this.#lanes += 1)}`);
    this.repository.git(['worktree', 'add', '--quiet', '--detach', this.lane]);
  }

  end(): void {
    this.repository.git(['worktree', 'remove', '--force', this.lane]);
    this.repository.git(['reset', '--quiet', '--hard']);
    this.repository.git(['clean', '--quiet', '-ffdx']);
  }

  place(request: Partial<PlaceRequest>): Promise<Placed> {
    return placeFiles({ root: this.root, path: this.lane, copy: [], link: [], ...request });
  }

  /** Content of a file of the lane. */
  read(path: string): string {
    return readFileSync(join(this.lane, path), 'utf8');
  }

  /** Makes a link in the main checkout, or at another top. */
  link(path: string, target: string, top = this.root): void {
    symlinkSync(target, join(top, path));
  }
}

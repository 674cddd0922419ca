import assert from 'node:assert/strict';
import { Dice } from '../../unit/core/run/simulation/dice.ts';
import { Git } from '../../unit/core/run/simulation/git.ts';
import { RealGit } from './realGit.ts';

const { AGENTKIT_SEED } = process.env;
const histories = 200;
/** Histories after which the two are compared; what is left is then taken away, for many worktrees make git slow. */
const batch = 20;

/** Does the same to the model and to git, at random, under names of its own. */
class History {
  readonly #name: string;
  readonly #model: Git;
  readonly #real: RealGit;
  readonly #dice: Dice;
  #files = 0;

  constructor(name: string, model: Git, real: RealGit, dice: Dice) {
    this.#name = name;
    this.#model = model;
    this.#real = real;
    this.#dice = dice;
    model.setRef(this.#target, 't0');
    real.setRef(this.#target, real.first);
    this.#add('a');
  }

  get #target(): string {
    return `${this.#name}/main`;
  }

  step(): void {
    const lane = this.#dice.pick(['a', 'b']);
    const path = `${this.#name}-${lane}`;
    const stands = this.#model.worktrees.has(path);
    const branch = `${this.#name}/${lane}`;
    if (!stands) {
      if (this.#dice.chance(0.7) || !this.#model.refs.has(branch)) return this.#add(lane);
      this.#model.deleteRef(branch);
      return this.#real.deleteRef(branch);
    }
    switch (this.#dice.below(10)) {
      case 0:
      case 1:
      case 2:
        return this.#write(path);
      case 3:
      case 4:
        this.#model.commitAll(path);
        return this.#real.commitAll(path);
      case 5:
      case 6: {
        const forward = this.#dice.chance(0.5);
        this.#model.merge(this.#target, this.#model.refs.get(branch) ?? '', forward);
        return this.#real.merge(this.#target, branch, forward);
      }
      case 7:
      case 8: {
        const ref = `rescue/${this.#name}/${this.#files}-${lane}`;
        this.#model.rescue(path, ref);
        return this.#real.rescue(path, ref);
      }
      default:
        return this.remove(path);
    }
  }

  /** What stands at its end. */
  end(): void {
    for (const path of ['a', 'b'].map((lane) => `${this.#name}-${lane}`))
      if (this.#model.worktrees.has(path)) this.remove(path);
  }

  remove(path: string): void {
    this.#model.removeWorktree(path);
    this.#real.removeWorktree(path);
  }

  #write(path: string): void {
    this.#files += 1;
    const file = `${path}-${this.#files}`;
    this.#model.write(path, file);
    this.#real.write(path, file);
  }

  /** A worktree on its branch, which is made where it is not there. */
  #add(lane: string): void {
    const [path, branch] = [`${this.#name}-${lane}`, `${this.#name}/${lane}`];
    const isThere = this.#model.refs.has(branch);
    this.#model.addWorktree(path, branch, this.#model.refs.get(this.#target) ?? '');
    this.#real.addWorktree(path, branch, isThere ? null : this.#target);
  }
}

function sorted(values: Iterable<string>): string[] {
  return [...values].sort();
}

/** Refs, what each holds and comes after, worktrees and what is uncommitted in them. */
function compare(model: Git, real: RealGit): void {
  const refs = [...model.refs].filter(([name]) => name !== 'main');
  const [found, commits, worktrees] = [real.refs(), real.commits(), real.worktrees()];
  assert.deepEqual(sorted(found.keys()), sorted(refs.map(([name]) => name)));
  const seen = new Map<string, string>();
  const same = (ours: string, theirs: string): void => {
    if (seen.get(ours) === theirs) return;
    assert.ok(!seen.has(ours), `${ours} is two commits`);
    seen.set(ours, theirs);
    const [a, b] = [model.commits.get(ours), commits.get(theirs)];
    assert.deepEqual(sorted(b?.files ?? []), sorted(a?.files ?? []));
    assert.equal(b?.parents.length, a?.parents.length);
    a?.parents.forEach((parent, at) => same(parent, b?.parents[at] ?? ''));
  };
  for (const [name, commit] of refs) same(commit, found.get(name) ?? '');
  assert.deepEqual(sorted(worktrees.keys()), sorted(model.worktrees.keys()));
  for (const [path, { branch, files }] of model.worktrees) {
    const there = worktrees.get(path);
    assert.equal(there?.branch, branch);
    assert.deepEqual(sorted(there.files), sorted(files));
    assert.deepEqual(sorted(there.dirty), sorted(model.dirty(path)));
  }
}

describe('the model of git that runs are simulated on', function () {
  this.timeout(300_000);
  let real: RealGit;
  beforeEach(() => (real = new RealGit()));
  afterEach(() => real.remove());

  it(`does what git does, in ${histories} random histories, and keeps what git keeps`, () => {
    const seed = Number(AGENTKIT_SEED ?? Date.now() % 1_000_000_000);
    const [model, dice] = [new Git(), new Dice(seed)];
    try {
      let open: History[] = [];
      for (let at = 1; at <= histories; at += 1) {
        const history = new History(`h${at}`, model, real, dice);
        open.push(history);
        for (let left = 4 + dice.below(4); left > 0; left -= 1) history.step();
        if (at % batch !== 0) continue;
        compare(model, real);
        for (const each of open) each.end();
        open = [];
      }
      compare(model, real);
      const lost = model.lost();
      const kept = [...model.written].filter((file) => !lost.includes(file));
      assert.ok(lost.length > 20 && kept.length > 40, `${lost.length} lost, ${kept.length} kept`);
      assert.deepEqual(real.keptAfterCollection([...model.written]), kept);
    } catch (error) {
      throw new Error(`AGENTKIT_SEED=${seed}: ${String(error)}`, { cause: error });
    }
  });

  it('refuses what git refuses: a folder or a branch that is in use', () => {
    const model = new Git();
    model.addWorktree('one', 'branch', 't0');
    real.addWorktree('one', 'branch', real.first);
    for (const path of ['one', 'two']) {
      assert.throws(() => model.addWorktree(path, 'branch', 't0'));
      assert.throws(() => real.addWorktree(path, 'branch', null));
    }
    model.removeWorktree('one');
    real.removeWorktree('one');
    model.addWorktree('two', 'branch', 't0');
    real.addWorktree('two', 'branch', null);
    assert.deepEqual([...real.worktrees().keys()], [...model.worktrees.keys()]);
  });
});

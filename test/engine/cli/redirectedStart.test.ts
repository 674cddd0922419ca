import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { writes } from '../conductor/demoWorld.ts';
import { AkWorld } from './akWorld.ts';

describe('ak orchestrate start with its output redirected', function () {
  this.timeout(120_000);
  let world: AkWorld;
  before(() => {
    world = new AkWorld(['one']);
    world.write('.gitignore', '*.log\nplan.yaml\n');
    world.git('add', '.gitignore');
    world.git('commit', '--quiet', '-m', 'ignore');
    writeFileSync(join(world.repo, 'plan.yaml'), world.plan([{ id: 'job', steps: [writes('job.txt')] }]));
  });
  after(() => world.dispose());

  /** What the call says on stderr, with stdout and stderr in these files. */
  function start(out: string, err: string): string {
    const words = world.argv('orchestrate', 'start', 'plan.yaml', '--yes').map((word) => `'${word}'`);
    const command = `${words.join(' ')} > "${out}" 2> "${err}" || true`;
    execFileSync('sh', ['-c', command], { cwd: world.repo, env: world.env() });
    return readFileSync(err, 'utf8');
  }

  it('warns of a file in the checkout, and not of one elsewhere or that git ignores', () => {
    const inside = join(world.repo, 'out.txt');
    const away = join(world.root, 'err.txt');
    const told = start(inside, away);
    assert.match(told, /^warning: the output of this command goes to .*out\.txt, .*Send it elsewhere/m);
    assert.equal(told.match(/^warning:/gm)?.length, 1, 'stderr goes elsewhere');
    assert.doesNotMatch(start(join(world.repo, 'out.log'), join(world.root, 'err2.txt')), /^warning:/m);
  });

  it('says by which rule the base was chosen wherever the run is shown', () => {
    const [run] = world.answer(['lane', 'ls'], 0)['lanes'] as { run: string }[];
    const { out } = world.run(['orchestrate', 'status', run!.run]);
    assert.doesNotMatch(out, /Go on with it/, 'nothing of it was broken off');
    assert.match(out, /^from main at [0-9a-f]{10} \(the main of this clone\)$/m);
    const { base } = world.answer(['orchestrate', 'status', run!.run], 0) as { base: { how: string } };
    assert.equal(base.how, 'the main of this clone');
    assert.match(
      world.run(['orchestrate', 'report', run!.run]).out,
      /Base `main` at `\w+` \(the main of this clone\)/,
    );
  });
});

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { runGit } from '../git/tempRepository.ts';
import { LaneFixture } from './laneFixture.ts';

describe('placeFiles', function () {
  this.timeout(60_000);
  let fixture: LaneFixture;
  before(() => (fixture = new LaneFixture()));
  after(() => fixture.repository.remove());
  beforeEach(() => fixture.begin());
  afterEach(() => fixture.end());

  const copy = (...patterns: string[]) => fixture.place({ copy: patterns });

  it('copies files and whole folders by path and by glob, and nothing else', async () => {
    fixture.repository.write({
      '.env': 'A=1\n',
      '.env.local': 'B=2\n',
      'local/a/deep.txt': 'deep\n',
      'local/b.txt': 'b\n',
      'config/x.local': 'x\n',
      'config/sub/y.local': 'y\n',
      'other.txt': 'not asked for\n',
    });
    const { placed, warnings } = await copy('.env*', 'local', 'config/*.local');
    assert.deepEqual(placed, ['.env', '.env.local', 'config/x.local', 'local/a/deep.txt', 'local/b.txt']);
    assert.deepEqual(warnings, []);
    assert.deepEqual(
      [fixture.read('.env'), fixture.read('local/a/deep.txt'), fixture.read('config/x.local')],
      ['A=1\n', 'deep\n', 'x\n'],
    );
    assert.deepEqual(
      [existsSync(join(fixture.lane, 'other.txt')), existsSync(join(fixture.lane, 'config/sub'))],
      [false, false],
    );
    assert.equal(
      runGit(fixture.lane, ['status', '--porcelain']),
      '?? config/x.local',
      'what is not ignored is in the list',
    );
  });

  it('says nothing of what is not there, and does nothing where nothing is asked for', async () => {
    assert.deepEqual(await copy('.env', 'local/', 'no/*.x'), { placed: [], warnings: [] });
    assert.deepEqual(await copy(), { placed: [], warnings: [] });
  });

  it('never changes what is there, tracked or not', async () => {
    fixture.repository.write({
      '.env': 'of the checkout\n',
      'src/a.txt': 'changed in the checkout\n',
      'local/n': 'n\n',
    });
    writeFileSync(join(fixture.lane, '.env'), 'of the lane\n');
    writeFileSync(join(fixture.lane, 'local'), 'a file\n');
    const { placed, warnings } = await copy('.env', 'src', 'local');
    assert.deepEqual([placed, fixture.read('.env'), fixture.read('src/a.txt')], [[], 'of the lane\n', 'a\n']);
    assert.match(
      warnings.join(),
      /^copy: local\/n has no place, as local is a file in the lane; it is not copied$/,
    );
    assert.equal(runGit(fixture.lane, ['status', '--porcelain']), '?? local');
  });

  it('tells of a file that is tracked in the checkout and not where the lane begins', async () => {
    fixture.repository.write({ 'staged.json': '{}\n' });
    fixture.repository.git(['add', 'staged.json']);
    assert.match(
      (await copy('staged.json')).warnings.join(),
      /^copy: staged\.json is tracked in the main checkout/,
    );
    assert.equal(existsSync(join(fixture.lane, 'staged.json')), false);
  });

  it('does not count as placed what the lane tracks, though the bytes are the same', async () => {
    fixture.repository.git(['rm', '--quiet', '--cached', 'src/a.txt']);
    assert.deepEqual((await copy('src/a.txt', 'src/')).placed, []);
  });

  it('keeps modes and times, also those of folders', async () => {
    fixture.repository.write({ 'local/run.sh': '#!/bin/sh\n', '.env': 'A=1\n' });
    chmodSync(join(fixture.root, 'local'), 0o750);
    chmodSync(join(fixture.root, 'local/run.sh'), 0o755);
    chmodSync(join(fixture.root, '.env'), 0o600);
    const time = new Date('2020-01-02T03:04:05Z');
    utimesSync(join(fixture.root, '.env'), time, time);
    const mask = process.umask(0o077);
    await copy('local', '.env').finally(() => process.umask(mask));
    const mode = (path: string) => (statSync(join(fixture.lane, path)).mode & 0o777).toString(8);
    assert.deepEqual([mode('local'), mode('local/run.sh'), mode('.env')], ['750', '755', '600']);
    assert.equal(statSync(join(fixture.lane, '.env')).mtimeMs, time.getTime());
  });

  it('can be repeated: what it placed counts as such until somebody changes it', async () => {
    fixture.repository.write({ '.env': 'A=1\n', 'local/b': 'b\n', 'node_modules/.keep': '' });
    const all = { copy: ['.env', 'local'], link: ['node_modules'] };
    const first = await fixture.place(all);
    const names = readdirSync(fixture.lane).sort();
    assert.deepEqual(await fixture.place(all), first);
    writeFileSync(join(fixture.lane, 'local/b'), 'changed by the agent\n');
    assert.deepEqual((await fixture.place(all)).placed, ['.env', 'node_modules']);
    assert.equal(fixture.read('local/b'), 'changed by the agent\n');
    assert.deepEqual(readdirSync(fixture.lane).sort(), names);
  });

  it('copies no link that leads out of the repository, nor through one, but one inside', async () => {
    fixture.repository.write({ 'config/dev.env': 'DEV=1\n', 'local/in.txt': 'in\n' });
    fixture.link('.env', join(fixture.outside, 'secret'));
    fixture.link('.env.up', '../outside/secret');
    fixture.link('.env.in', 'config/dev.env');
    fixture.link('.env.lost', 'no-such-file');
    fixture.link('out', '../outside');
    fixture.link('hooks', '.git/hooks');
    fixture.link('also', 'local');
    const { placed, warnings } = await copy(
      '.env*',
      'out/secret',
      'also/in.txt',
      'hooks/pre-commit.sample',
      'hooks',
    );
    assert.deepEqual(placed, ['.env.in', 'also/in.txt']);
    assert.deepEqual(
      [fixture.read('.env.in'), lstatSync(join(fixture.lane, '.env.in')).isFile()],
      ['DEV=1\n', true],
    );
    assert.equal(fixture.read('also/in.txt'), 'in\n');
    const told = warnings.join('\n');
    assert.match(told, /copy: \.env leads out of the repository, to .*outside\/secret; it is not copied/);
    assert.match(told, /copy: \.env\.up leads out of the repository/);
    assert.match(told, /copy: \.env\.lost is a link that leads nowhere/);
    assert.match(told, /copy: out\/secret leads out of the repository, to .*outside\/secret/);
    assert.match(told, /copy: hooks leads out of the repository, to .*\.git\/hooks/);
    assert.equal(warnings.length, 6, told);
    assert.deepEqual(readdirSync(fixture.lane).includes('hooks'), false);
  });

  it('follows no link out in a glob', async () => {
    fixture.link('out', '../outside');
    assert.deepEqual(await copy('*/secret', '**/secret'), { placed: [], warnings: [] });
  });

  it('makes links again that lead to what is in the lane, whatever their order, and no others', async () => {
    fixture.repository.write({ 'local/z/tool.js': 'tool\n', 'config/dev.env': 'DEV=1\n' });
    const at = (path: string) => join(fixture.root, 'local', path);
    symlinkSync('b', at('a'));
    symlinkSync('z', at('b'));
    symlinkSync('z/tool.js', at('tool'));
    symlinkSync(at('z/tool.js'), at('absolute'));
    mkdirSync(join(fixture.root, '.env.d'));
    symlinkSync('../.env.d', at('gone'));
    const { placed, warnings } = await copy('local');
    assert.deepEqual(placed, ['local/a', 'local/absolute', 'local/b', 'local/tool', 'local/z/tool.js']);
    assert.deepEqual(warnings, [
      'copy: local/gone is a link to a folder that is not in the lane; it is not copied',
    ]);
    assert.deepEqual(
      [readlinkSync(join(fixture.lane, 'local/a')), readlinkSync(join(fixture.lane, 'local/tool'))],
      ['b', 'z/tool.js'],
    );
    assert.equal(lstatSync(join(fixture.lane, 'local/absolute')).isFile(), true);
    assert.equal(realpathSync(join(fixture.lane, 'local/a')), join(realpathSync(fixture.lane), 'local/z'));
    assert.deepEqual(await copy('local'), { placed, warnings });
  });

  it('puts nothing out of the lane through a link among the parents, but through one inside', async () => {
    fixture.repository.write({
      'local/x': 'x\n',
      'local/deep/y': 'y\n',
      '.env.d/z': 'z\n',
      'node_modules/m': 'm\n',
    });
    fixture.link('local', fixture.outside, fixture.lane);
    fixture.link('.env.d', 'config', fixture.lane);
    fixture.link('node_modules', 'nowhere', fixture.lane);
    const { placed, warnings } = await copy('local', '.env.d', 'node_modules');
    assert.deepEqual(placed, ['.env.d/z']);
    assert.equal(fixture.read('config/z'), 'z\n');
    assert.deepEqual(readdirSync(fixture.outside), ['secret']);
    assert.match(
      warnings.join(),
      /local\/deep\/y has no place, as local is a link in the lane that leads out of it/,
    );
    assert.match(
      warnings.join(),
      /node_modules\/m has no place, as node_modules is a link in the lane that leads nowhere/,
    );
    assert.equal(warnings.length, 3);
  });

  it('copies no folder that holds a worktree or another repository, and looks into none for a glob', async () => {
    fixture.repository.write({ '.claude/settings.local.json': '{}\n', 'local/.env': 'A=1\n' });
    const inner = join(fixture.root, '.claude/worktrees/one');
    fixture.repository.git(['worktree', 'add', '--quiet', '--detach', inner]);
    runGit(fixture.root, ['init', '--quiet', join(fixture.root, 'local/other')]);
    writeFileSync(join(inner, '.env'), 'of a worktree\n');
    writeFileSync(join(fixture.root, 'local/other/.env'), 'of another repository\n');
    for (const pattern of ['.claude', '.claude/', '.claude/**', '**']) {
      const { placed, warnings } = await copy(pattern);
      assert.deepEqual(placed, [], pattern);
      assert.match(
        warnings.join(),
        /takes in a checkout of its own, (\.claude\/worktrees\/one|local\/other)/,
      );
    }
    const inside = await copy('local/other/.env', '.claude/worktrees/one/.env');
    assert.deepEqual([inside.placed, inside.warnings.length], [[], 2]);
    assert.match(inside.warnings.join(), /local\/other\/\.env lies in another checkout, .*local\/other;/);
    const { placed, warnings } = await copy('**/.env', '.claude/*.local.json');
    assert.deepEqual([placed, warnings], [['.claude/settings.local.json', 'local/.env'], []]);
    fixture.repository.git(['worktree', 'remove', '--force', inner]);
  });

  it('names what is no ordinary file, and waits for none', async () => {
    fixture.repository.write({ 'local/a': 'a\n' });
    const pipes = ['local/pipe', '.env'].map((name) => join(fixture.root, name));
    execFileSync('mkfifo', pipes);
    const odd = Buffer.concat([Buffer.from(join(fixture.root, 'local/')), Buffer.from([0x66, 0xff])]);
    writeFileSync(odd, 'x');
    const { placed, warnings } = await copy('local', '.env');
    assert.deepEqual(placed, ['local/a']);
    assert.equal(warnings.length, 3);
    assert.match(warnings.join(), /local\/pipe is no ordinary file/);
    assert.match(warnings.join(), /\.env is no ordinary file/);
    assert.match(warnings.join(), /local\/f\ufffd is no UTF-8/);
    for (const each of [odd, ...pipes]) rmSync(each);
  });

  it('copies names with anything in them', async () => {
    const names = ["local/it's", 'local/a "b" ü', 'local/--help', 'local/a\nb', 'local/[x]', 'local/*'];
    fixture.repository.write(Object.fromEntries(names.map((name) => [name, name])));
    assert.deepEqual((await copy('local')).placed, [...names].sort());
    for (const name of names) assert.equal(fixture.read(name), name);
  });

  it('tells a few of many warnings', async () => {
    fixture.repository.write({ 'local/x': '' });
    for (let n = 0; n < 30; n++) fixture.link(`local/l${n}`, '/');
    const { warnings } = await copy('local');
    assert.deepEqual([warnings.length, warnings.at(-1)], [21, '… and 10 more of that kind']);
  });
});

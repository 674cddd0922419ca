import assert from 'node:assert/strict';
import { chmodSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import {
  distrustRepository,
  listTrusted,
  repositoryTrust,
  trustRepository,
} from '../../../src/engine/person/repositoryTrust.ts';
import { rejectsWith } from '../git/rejectsWith.ts';
import { tempRepository, type TempRepository } from '../git/tempRepository.ts';

const gate = [{ name: 'test', run: 'npm test' }];

describe('repositoryTrust', function () {
  this.timeout(20_000);
  let repository: TempRepository;
  let environment: Record<string, string>;
  beforeEach(() => {
    repository = tempRepository();
    environment = { HOME: join(repository.folder, 'home') };
  });
  afterEach(() => repository.remove());

  /** Commits an agentkit.yaml; the commit. */
  const settle = (settings: unknown) =>
    repository.commit({ 'agentkit.yaml': typeof settings === 'string' ? settings : stringify(settings) });
  const look = (commit: string) => repositoryTrust(repository, commit, environment);
  const trusts = async (commit: string) => (await look(commit)).mayRun;

  it('has nothing to ask where no commands are named', async () => {
    for (const commit of [
      repository.git(['rev-parse', 'HEAD']),
      settle({ version: 1, worktree: { root: '..' } }),
    ])
      assert.deepEqual([(await look(commit)).status, await trusts(commit)], ['nothing', true]);
    await trustRepository(await look('HEAD'), environment);
    assert.deepEqual(await listTrusted(environment), []);
  });

  it('allows what was shown, until that changes, and shows the difference', async () => {
    const first = settle({ version: 1, gate });
    const shown = await look(first);
    assert.deepEqual([shown.status, await trusts(first)], ['untrusted', false]);
    assert.match(shown.commands, /run: npm test/);
    await trustRepository(shown, environment);
    assert.equal(await trusts(first), true);
    assert.equal(
      statSync(join(environment['HOME']!, '.config', 'agentkit', 'trust.json')).mode & 0o777,
      0o600,
    );
    const second = settle({ version: 1, gate: [{ name: 'test', run: 'curl evil' }] });
    const changed = await look(second);
    assert.deepEqual([changed.status, await trusts(second)], ['changed', false]);
    assert.deepEqual(changed.difference, ['-     run: npm test', '+     run: curl evil']);
    assert.equal(await trusts(first), true);
    await trustRepository(changed, environment);
    assert.deepEqual([await trusts(second), await trusts(first)], [true, false]);
    assert.equal((await listTrusted(environment)).length, 1);
  });

  it('asks anew for every part that holds commands, and for no other', async () => {
    const base = { version: 1, gate };
    await trustRepository(await look(settle(base)), environment);
    for (const more of [
      { worktree: { setup: ['npm ci'] } },
      { worktree: { teardown: ['docker compose down'] } },
      { kinds: { mine: { run: ['mine'] } } },
    ])
      assert.equal(await trusts(settle({ ...base, ...more })), false, JSON.stringify(more));
    for (const settings of [
      { ...base, worktree: { copy: ['.env'] } },
      { gate, version: 1 },
      '# a comment\nversion: 1\ngate:\n  - run: "npm test"\n    name: test\n',
    ])
      assert.equal(await trusts(settle(settings)), true, JSON.stringify(settings));
  });

  it('is about one repository, from whichever of its checkouts, and can be taken back', async () => {
    const commit = settle({ version: 1, gate });
    await trustRepository(await look(commit), environment);
    const other = tempRepository();
    const theirs = other.commit({ 'agentkit.yaml': stringify({ version: 1, gate }) });
    assert.equal((await repositoryTrust(other, theirs, environment)).mayRun, false);
    other.remove();
    await distrustRepository(repository.root, environment);
    assert.equal(await trusts(commit), false);
    await rejectsWith(distrustRepository(repository.root, environment), 'not_found', /ak trust ls/);
  });

  it('refuses an agent', async () => {
    const shown = await look(settle({ version: 1, gate }));
    await rejectsWith(trustRepository(shown, { ...environment, CLAUDECODE: '1' }), 'refused', /CLAUDECODE/);
    assert.deepEqual(await listTrusted(environment), []);
    await trustRepository(shown, environment);
    assert.equal((await listTrusted(environment)).length, 1);
  });

  it('believes no file that others may write', async () => {
    const commit = settle({ version: 1, gate });
    await trustRepository(await look(commit), environment);
    const file = join(environment['HOME']!, '.config', 'agentkit', 'trust.json');
    chmodSync(file, 0o666);
    await rejectsWith(trusts(commit), 'refused', /chmod go-w/);
    chmodSync(file, 0o600);
    assert.equal(await trusts(commit), true);
  });

  it('names the place of what it cannot read, and expands no bomb', async () => {
    await rejectsWith(
      look(settle('version: 1\ngate: [\n')),
      'invalid_input',
      /agentkit\.yaml:3:1 .*\(as committed\)/,
    );
    await rejectsWith(look(settle('- gate\n')), 'invalid_input', /agentkit\.yaml:1:1 it must be a mapping/);
    const levels = 'abcdefghi'.split('').map((name, index, all) => {
      const below = index === 0 ? '[lol, lol]' : `[${`*${all[index - 1]}, `.repeat(9)}*${all[index - 1]}]`;
      return `${name}: &${name} ${below}`;
    });
    const bomb = ['version: 1', ...levels, 'gate: *i'].join('\n');
    await rejectsWith(look(settle(bomb)), 'invalid_input', /agentkit\.yaml/);
  });
});

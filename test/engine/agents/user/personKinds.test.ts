import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createKnownKinds, createPersonKinds } from '../../../../src/engine/agents/kinds.ts';
import { unknownKind } from '../../../../src/engine/agents/unknownKind.ts';

describe('kinds of the person', () => {
  const home = mkdtempSync(join(tmpdir(), "agentkit person's ü "));
  const file = join(home, '.config', 'agentkit', 'settings.yaml');
  const options = { node: '/n', dist: '/d', environment: { HOME: home, PATH: '/nowhere' } };
  const mine = 'kinds:\n  mytool:\n    run: [mytool, "{prompt_file}"]\n    result: text\n';
  const ids = () => [...createPersonKinds(options).keys()];
  before(() => mkdirSync(join(home, '.config', 'agentkit'), { recursive: true }));
  afterEach(() => rmSync(file, { force: true }));
  after(() => rmSync(home, { recursive: true }));

  it('are those of the settings, beside ours', () => {
    assert.equal(ids().includes('mytool'), false);
    writeFileSync(file, `permissions: ask\n${mine}`);
    assert.deepEqual(ids().slice(-2), ['opencode', 'mytool']);
  });

  it('are none without a home, without kinds, and where the whole file is broken, of which others tell', () => {
    writeFileSync(file, mine);
    const homeless = createPersonKinds({ ...options, environment: { PATH: '/nowhere' } });
    assert.equal(homeless.has('mytool'), false);
    for (const text of ['', 'permissions: ask\n', 'kinds: {}\n', 'kinds: {', '[]\n']) {
      writeFileSync(file, text);
      assert.equal(ids().length, 6, text);
    }
  });

  it('tell file, line and column of what is wrong; who only looks at the machine goes on with ours', () => {
    writeFileSync(file, `permissions: auto\n${mine.replace('result: text', 'result: [text]')}  claude: {}\n`);
    assert.throws(ids, (error: Error & { reason?: string }) => {
      assert.equal(error.reason, 'invalid_input');
      const [first = '', ...others] = error.message.split('\n');
      assert.match(first, /settings\.yaml:5:13 kinds\.mytool\.result: /);
      assert.ok(others.length > 0);
      return true;
    });
    assert.equal(createKnownKinds(options).size, 6);
  });

  it('are what is said to be broken, not that there is no such kind, where they cannot be read', () => {
    const missed = () => unknownKind('mytool', new Map(), options.environment);
    for (const text of ['kinds: [', 'kinds: {', 'kinds: {mytool: {run: mytool}}\n']) {
      writeFileSync(file, text);
      assert.throws(missed, { reason: 'invalid_input', message: /settings\.yaml:\d+:\d+ / });
    }
    writeFileSync(file, 'kinds: {}\n');
    assert.match(missed().message, /There is no kind "mytool"/);
  });

  it('are not taken from a file that others may write', () => {
    writeFileSync(file, mine);
    chmodSync(file, 0o666);
    assert.throws(ids, { reason: 'refused', message: /can be written by others/ });
    chmodSync(file, 0o600);
    assert.ok(ids().includes('mytool'));
  });
});

import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AgentKitError } from '../../../src/core/agentKitError.ts';
import { knownError } from '../../../src/cli/knownError.ts';

describe('knownError', () => {
  const refused = (code: string) =>
    knownError(Object.assign(new Error(`${code}: no`), { code, path: '/a/file', syscall: 'open' }));

  it('tells what the system refused, of which file, with the exit code of the contract', () => {
    for (const [code, exit] of Object.entries({
      ...{ EACCES: 3, EPERM: 3, EROFS: 3, ENOENT: 3, ENOSPC: 1, EISDIR: 2, ENOTDIR: 2, EEXIST: 2 },
    })) {
      assert.equal(refused(code)?.exitCode, exit, code);
      assert.match(refused(code)?.message ?? '', /^Cannot open \/a\/file: /);
    }
  });

  it('knows errors as the system makes them', () => {
    const folder = mkdtempSync(join(tmpdir(), 'agentkit-known-'));
    try {
      readFileSync(join(folder, 'no', 'file'));
      assert.fail('it was read');
    } catch (error) {
      assert.match(knownError(error)?.message ?? '', /no\/file: it does not exist \(ENOENT\)/);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('leaves our own errors as they are, and bugs to be bugs', () => {
    const own = new AgentKitError('refused', 'no');
    assert.equal(knownError(own), own);
    for (const bug of [
      new TypeError('x is undefined'),
      new AgentKitError('internal', 'odd'),
      refused('EWHAT'),
      7,
    ])
      assert.equal(knownError(bug), undefined);
  });

  it('knows a lock file that cannot be opened', () => {
    const cause = Object.assign(new Error('unable to open database file'), { errcode: 14 });
    assert.equal(knownError(new AgentKitError('internal', '/a/owner.lock', { cause }))?.exitCode, 3);
  });
});

import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { findOwn } from '../../../scripts/demo/findDesktop.mjs';

const commit = '53c2f3253bcf32886706fc023e794bbeb253c90f';

describe('the code command of a user', () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(path.join(tmpdir(), 'agentkit-code-'))));
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  /** A program of that name whose `--version` prints a text. */
  const put = (inFolder: string, version: string): string => {
    const file = path.join(folder, inFolder, 'code');
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, `#!/bin/sh\nprintf '${version}'\n`);
    chmodSync(file, 0o755);
    return file;
  };
  const find = (...folders: string[]) =>
    findOwn({
      PATH: [...folders.map((name) => path.join(folder, name)), '/usr/bin', '/bin'].join(path.delimiter),
    });

  it('is taken when it is a desktop VS Code that is new enough', () => {
    const file = put('bin', `1.138.2\\n${commit}\\nx64\\n`);
    assert.equal(find('bin'), file);
  });

  it('is passed over when it is too old, something else, or the messenger of a remote window', () => {
    put('old', `1.99.0\\n${commit}\\nx64\\n`);
    put('other', 'code 7\\n');
    put('remote-cli', `1.139.0\\n${commit}\\nx64\\n`);
    const good = put('good', `1.139.0\\n${commit}\\nx64\\n`);
    assert.equal(find('old', 'other', 'remote-cli'), undefined);
    assert.equal(find('old', 'other', 'remote-cli', 'good'), good);
  });
});

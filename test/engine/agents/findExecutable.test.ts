import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findExecutable } from '../../../src/engine/agents/findExecutable.ts';

describe('findExecutable', () => {
  const root = mkdtempSync(join(tmpdir(), "agentkit it's ü "));
  const [first, second] = [join(root, 'first'), join(root, 'second one')];
  const place = (folder: string, name: string, mode = 0o755) => {
    writeFileSync(join(folder, name), '#!/bin/sh\n');
    chmodSync(join(folder, name), mode);
    return join(folder, name);
  };
  const PATH = `${first}:${second}`;
  before(() => [first, second].forEach((folder) => mkdirSync(folder)));
  after(() => rmSync(root, { recursive: true }));

  it('finds the first that can be run, past files, folders and links that cannot', () => {
    place(first, 'tool', 0o644);
    const tool = place(second, 'tool');
    assert.equal(findExecutable('tool', { PATH }), tool);
    mkdirSync(join(first, 'other'));
    symlinkSync('nowhere', join(first, 'linked'));
    const [other, linked] = [place(second, 'other'), place(second, 'linked')];
    assert.equal(findExecutable('other', { PATH }), other);
    assert.equal(findExecutable('linked', { PATH }), linked);
  });

  it('finds nothing without PATH, and what is not there', () => {
    assert.equal(findExecutable('tool', {}), null);
    assert.equal(findExecutable('no-such-tool', { PATH }), null);
  });

  it('passes over entries that depend on the folder one stands in', () => {
    const before = process.cwd();
    place(first, 'planted');
    process.chdir(first);
    try {
      for (const entry of ['', '.', './', '../first']) {
        assert.equal(findExecutable('planted', { PATH: `${entry}:${second}` }), null, entry);
      }
      assert.equal(findExecutable('./planted', { PATH }), null);
    } finally {
      process.chdir(before);
    }
    assert.equal(findExecutable('planted', { PATH }), join(first, 'planted'));
  });

  it('checks an absolute path as it is', () => {
    const tool = place(second, 'absolute');
    assert.equal(findExecutable(tool, {}), tool);
    assert.equal(findExecutable(join(second, 'absent'), {}), null);
  });
});

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Metafile } from 'esbuild';
import { packPieces } from '../../../scripts/build/packPieces.mjs';

/** Pieces as esbuild splits them: each says its name once it runs. */
const pieces = new Map([
  [
    'ak.js',
    '#!/usr/bin/env node\nconsole.log("main");require("./ak-shared-1.js");require("./ak-first-1.js").go();',
  ],
  [
    'ak-first-1.js',
    'console.log("first");require("./ak-shared-1.js");exports.go=()=>require("./ak-second-1.js");',
  ],
  ['ak-second-1.js', 'console.log("second");require("./ak-shared-1.js");'],
  ['ak-shared-1.js', 'console.log("shared");'],
  ['ak-never-1.js', 'console.log("never");'],
]);

function output(entryPoint: string | undefined, imports: [piece: string, kind: string][]): object {
  return { entryPoint, imports: imports.map(([piece, kind]) => ({ path: `dist/${piece}`, kind })) };
}

const metafile = {
  inputs: {},
  outputs: {
    'dist/ak.js': output('src/main.ts', [
      ['ak-shared-1.js', 'import-statement'],
      ['ak-first-1.js', 'dynamic-import'],
    ]),
    'dist/ak-first-1.js': output('src/first.ts', [
      ['ak-shared-1.js', 'import-statement'],
      ['ak-second-1.js', 'dynamic-import'],
    ]),
    'dist/ak-second-1.js': output('src/second.ts', [['ak-shared-1.js', 'import-statement']]),
    'dist/ak-shared-1.js': output(undefined, []),
    'dist/ak-never-1.js': output('src/never.ts', []),
  },
} as unknown as Metafile;

describe('packPieces', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), "agentkit pack's ü "));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const groups = [
    { file: 'ak.js', entries: ['src/main.ts'] },
    { file: 'ak-core.js', entries: ['src/first.ts'] },
  ];
  function write(): Map<string, string> {
    const files = packPieces(pieces, metafile, groups);
    for (const [name, code] of files) writeFileSync(path.join(folder, name), code);
    return files;
  }
  const run = (...args: string[]) =>
    execFileSync(process.execPath, args, { encoding: 'utf8' }).trim().split('\n');

  it('puts a group with what it loads at once into one file, and leaves the others alone', () => {
    assert.deepEqual([...write().keys()], ['ak.js', 'ak-core.js', 'ak-second-1.js', 'ak-never-1.js']);
  });

  it('runs each piece when it is asked for, once, whichever file asks', () => {
    write();
    assert.deepEqual(run(path.join(folder, 'ak.js')), ['main', 'shared', 'first', 'second']);
  });

  it('runs the program once, also by way of a link', () => {
    write();
    const bin = path.join(folder, 'bin');
    mkdirSync(bin);
    symlinkSync('../ak.js', path.join(bin, 'ak'));
    assert.deepEqual(run(path.join(bin, 'ak')), ['main', 'shared', 'first', 'second']);
  });

  it('refuses a group of what is no entry', () => {
    const wrong = [...groups, { file: 'ak-more.js', entries: ['src/none.ts'] }];
    assert.throws(() => packPieces(pieces, metafile, wrong), /src\/none\.ts is no entry of the bundle/);
  });
});

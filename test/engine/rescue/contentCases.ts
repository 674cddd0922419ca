import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runGit } from '../git/tempRepository.ts';
import { inFolder, notUtf8, type LaneCase } from './laneCase.ts';

/** What files, links and folders can be. */
export const contentCases: LaneCase[] = [
  {
    name: 'permissions, links, names that are no text, and empty folders',
    prepare: (path) => {
      const at = (name: string) => join(path, name);
      mkdirSync(at('empty/deep'), { recursive: true });
      mkdirSync(at('closed'));
      writeFileSync(at('closed/file'), 'in a closed folder');
      chmodSync(at('closed'), 0o555);
      writeFileSync(at('run.sh'), '#!/bin/sh\n');
      chmodSync(at('run.sh'), 0o4751);
      writeFileSync(at('private'), 'mine');
      chmodSync(at('private'), 0o400);
      symlinkSync('/etc', at('out'));
      symlinkSync('nowhere', at('broken'));
      symlinkSync('src', at('to folder'));
      rmSync(at('README.md'));
      symlinkSync('src/a.txt', at('README.md'));
      writeFileSync(inFolder(path, notUtf8), 'not text');
      mkdirSync(inFolder(path, Buffer.from([0xe4, 0x20])));
      writeFileSync(inFolder(path, Buffer.from([0xe4, 0x20, 0x2f, 0xf6])), Buffer.from([0, 1, 13, 10]));
      symlinkSync(notUtf8, at('raw link'));
      writeFileSync(at('back\\slash'), '');
      writeFileSync(at('agentkit-hex:41'), 'looks encoded');
      writeFileSync(at('GIT~1'), 'another name of .git');
      writeFileSync(at('carriage\r'), 'return');
    },
  },
  {
    name: 'line ends and filters, whatever they would make of the bytes',
    prepare: (path) => {
      writeFileSync(join(path, 'mixed.txt'), 'one\r\ntwo\nthree\r\n');
      writeFileSync(join(path, 'dos.txt'), 'one\r\ntwo\r\n');
      runGit(path, ['add', 'dos.txt']);
      writeFileSync(join(path, 'shout.up'), 'not as the filter has it\n');
      writeFileSync(join(path, 'broken.fail'), 'its filter fails\n');
      writeFileSync(join(path, 'ident.id'), '$Id: mine $\n');
    },
    check: (path) => {
      assert.equal(readFileSync(join(path, 'mixed.txt'), 'latin1'), 'one\r\ntwo\nthree\r\n');
      assert.equal(readFileSync(join(path, 'shout.up'), 'latin1'), 'not as the filter has it\n');
    },
  },
  {
    name: 'ignored files, and none of what a command brings back',
    prepare: (path) => {
      const at = (name: string) => join(path, name);
      mkdirSync(at('cache/empty'), { recursive: true });
      writeFileSync(at('cache/notes'), 'notes');
      chmodSync(at('cache/notes'), 0o640);
      symlinkSync('../elsewhere', at('cache/link'));
      writeFileSync(inFolder(at('cache'), notUtf8), Buffer.alloc(1500, 7));
      writeFileSync(at(`cache/${'long'.repeat(40)}`), 'a long name');
      writeFileSync(at('.env'), 'SECRET=1\n');
    },
    check: (path, rescue, repo) => {
      assert.equal(readFileSync(join(path, '.env'), 'utf8'), 'SECRET=1\n');
      assert.equal(rescue.archive?.files, 4);
      assert.doesNotMatch(
        repo.git(['ls-tree', '-r', '--name-only', rescue.commit]),
        /worktree\/(\.env|cache)/,
      );
    },
  },
];

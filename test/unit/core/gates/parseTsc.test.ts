import assert from 'node:assert/strict';
import { parseTsc } from '../../../../src/core/gates/parseTsc.ts';
import { recorded, worktree } from './recorded.ts';

const first = {
  file: 'src/(shop)/page.ts',
  line: 2,
  column: 14,
  severity: 'error',
  code: 'TS2322',
  message: [
    "Type '(a: { name: number; }) => void' is not assignable to type '(a: Shape) => void'.",
    "  Types of parameters 'a' and 'a' are incompatible.",
    "    Type 'Shape' is not assignable to type '{ name: number; }'.",
    "      Types of property 'name' are incompatible.",
    "        Type 'string' is not assignable to type 'number'.",
  ].join('\n'),
};
const second = {
  file: 'src/(shop)/page.ts',
  line: 3,
  column: 46,
  severity: 'error',
  code: 'TS2322',
  message: "Type 'string' is not assignable to type 'number'.",
};

describe('parseTsc', () => {
  it('reads plain output: messages of several lines, files outside the worktree, errors about no file', () => {
    assert.deepEqual(parseTsc(recorded('tsc-plain.txt'), worktree), [
      first,
      second,
      {
        file: null,
        line: 1,
        column: 1,
        severity: 'error',
        code: 'TS2322',
        message: "../outside.ts:1: Type 'number' is not assignable to type 'string'.",
      },
      {
        file: null,
        line: 1,
        column: 1,
        severity: 'error',
        code: 'TS6053',
        message:
          "File 'nothing.ts' not found.\n  The file is in the program because:\n    Root file specified for compilation",
      },
    ]);
  });

  it('reads the pretty output with its colours and code frames the same', () => {
    assert.deepEqual(parseTsc(recorded('tsc-pretty.txt'), worktree), [first, second]);
  });

  it('makes absolute paths inside the worktree relative and understands Windows line ends', () => {
    const found = parseTsc(`${worktree}/src/a.ts(1,2): error TS1005: ';' expected.\r\n`, worktree);
    assert.deepEqual(found, [
      { file: 'src/a.ts', line: 1, column: 2, severity: 'error', code: 'TS1005', message: "';' expected." },
    ]);
  });

  it('finds nothing in other output', () => {
    assert.deepEqual(parseTsc('> tsc -p .\n\nerror: something (1,2)\n  at x\n', worktree), []);
  });
});

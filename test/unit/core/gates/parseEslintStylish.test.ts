import assert from 'node:assert/strict';
import { parseEslintStylish } from '../../../../src/core/gates/parseEslintStylish.ts';
import { recorded, worktree } from './recorded.ts';

const expected = [
  ['src/lint.js', 1, 7, 'error', "'unused' is assigned a value but never used", 'no-unused-vars'],
  ['src/lint.js', 2, 7, 'warning', "Expected '===' and instead saw '=='", 'eqeqeq'],
  ['src/lint.js', 2, 15, 'error', "'nothere' is not defined", 'no-undef'],
  ['src/syntax.js', 1, 7, 'error', 'Parsing error: Unexpected token =', undefined],
];

function rows(name: string): unknown[] {
  return parseEslintStylish(recorded(name), worktree).map((finding) => [
    finding.file,
    finding.line,
    finding.column,
    finding.severity,
    finding.message,
    finding.code,
  ]);
}

describe('parseEslintStylish', () => {
  it('reads files, rows and rules; a parsing error has none', () => {
    assert.deepEqual(rows('eslint-stylish.txt'), expected);
  });

  it('reads coloured output the same', () => {
    assert.deepEqual(rows('eslint-stylish-colour.txt'), expected);
  });

  it('counts places from 1 and keeps rules of plugins', () => {
    const output = `${worktree}/a.ts\n  0:0  warning  File ignored\n  4:2  error  No  any here  @scope/plugin/no-any\n`;
    assert.deepEqual(parseEslintStylish(output, worktree), [
      { file: 'a.ts', line: 1, column: 1, severity: 'warning', message: 'File ignored' },
      {
        file: 'a.ts',
        line: 4,
        column: 2,
        severity: 'error',
        message: 'No  any here',
        code: '@scope/plugin/no-any',
      },
    ]);
  });

  it('takes rows only behind a file', () => {
    assert.deepEqual(parseEslintStylish('> eslint .\n\n  1:2  error  stray  rule\n', worktree), []);
  });
});

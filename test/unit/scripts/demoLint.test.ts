import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const linter = path.resolve(import.meta.dirname, '../../../media/demo/repo/scripts/lint.mjs');

describe("the demo repository's lint", () => {
  let folder: string;
  before(() => (folder = mkdtempSync(path.join(tmpdir(), 'agentkit-lint-'))));
  after(() => rmSync(folder, { recursive: true, force: true }));

  const lint = (text: string) => {
    mkdirSync(path.join(folder, 'src'), { recursive: true });
    writeFileSync(path.join(folder, 'src', 'a.mjs'), text);
    const { status, stdout } = spawnSync(process.execPath, [linter, 'src'], {
      cwd: folder,
      encoding: 'utf8',
    });
    return {
      status,
      rows: [...stdout.matchAll(/^ {2}(\d+:\d+) {2}error {2}.* {2}(\S+)$/gm)].map((row) =>
        row.slice(1, 3).join(' '),
      ),
    };
  };

  it('finds what it says, with line and column, and exits 1', () => {
    const text = 'import { a, b as c } from "./b.mjs";\nvar x = a;\t\nconsole.log(x); \n';
    assert.deepEqual(lint(text), {
      status: 1,
      rows: [
        '1:1 no-unused-imports',
        '2:1 no-var',
        '2:11 no-tabs',
        '2:11 no-trailing-spaces',
        '3:1 no-console',
        '3:16 no-trailing-spaces',
      ],
    });
  });

  it('does not take comments and strings for code, but what a template inserts', () => {
    const text =
      "import { a } from './b.mjs';\n// var x\nexport const b = `var ${a}`;\nexport const c = 'console.log';\n";
    assert.deepEqual(lint(text), { status: 0, rows: [] });
  });
});

import assert from 'node:assert/strict';
import { detectChecks, type RepositoryFiles } from '../../../../src/core/gates/detectChecks.ts';

function commands(files: RepositoryFiles): string[] {
  return detectChecks(files).map(({ name, run }) => `${name}: ${run}`);
}

function scripts(entries: Record<string, unknown>): string {
  return JSON.stringify({ name: 'x', scripts: entries });
}

describe('detectChecks', () => {
  it('takes the scripts of package.json that check, tests first', () => {
    const text = scripts({ build: 'x', check: 'c', lint: 'eslint .', typecheck: 'tsc', test: 'node --test' });
    assert.deepEqual(commands({ 'package.json': text, Makefile: 'test:\n' }), [
      'test: npm run --silent test',
      'lint: npm run --silent lint',
      'typecheck: npm run --silent typecheck',
      'check: npm run --silent check',
    ]);
    assert.deepEqual(detectChecks({ 'package.json': scripts({ test: 'x' }) }), [
      { name: 'test', run: 'npm run --silent test', timeout: 600, matcher: '$auto' },
    ]);
  });

  it('does not take the placeholder of npm init, nor an empty script', () => {
    const text = scripts({ test: 'echo "Error: no test specified" && exit 1', lint: ' ' });
    assert.deepEqual(commands({ 'package.json': text }), []);
    assert.deepEqual(commands({ 'package.json': text, 'go.mod': 'module x' }), ['test: go test ./...']);
  });

  it('survives a package.json that is none', () => {
    for (const text of ['{', '[]', 'null', '{"scripts":3}', scripts({ test: 3 })]) {
      assert.deepEqual(commands({ 'package.json': text }), [], text);
    }
  });

  it('else asks Makefile, Cargo, Go and pytest, in this order', () => {
    assert.deepEqual(commands({ Makefile: 'all: x\ntest: all\n\tgo test\n', 'go.mod': '' }), [
      'test: make test',
    ]);
    assert.deepEqual(commands({ Makefile: 'test := 3\ntests:\n', 'Cargo.toml': '' }), ['test: cargo test']);
    assert.deepEqual(commands({ 'go.mod': '', 'pytest.ini': '' }), ['test: go test ./...']);
    assert.deepEqual(commands({ 'pyproject.toml': '[project]\n[tool.pytest.ini_options]\n' }), [
      'test: pytest',
    ]);
    assert.deepEqual(commands({ 'pyproject.toml': '[project]\n' }), []);
    assert.deepEqual(commands({}), []);
  });
});

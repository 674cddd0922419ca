import js from '@eslint/js';
import { defineConfig, globalIgnores } from 'eslint/config';
import tseslint from 'typescript-eslint';
import { importRule } from './scripts/lint/importRule.mjs';

/** Core computes: what it needs of the world comes in as data. */
const impureGlobals = [
  'process',
  'console',
  'performance',
  'fetch',
  'setTimeout',
  'setInterval',
  'setImmediate',
  'crypto',
];

const clockInCore = [
  {
    selector: "NewExpression[callee.name='Date'][arguments.length=0], CallExpression[callee.name='Date']",
    message: 'Core has no clock: take the time as an argument.',
  },
];

const noExit = [
  {
    object: 'process',
    property: 'exit',
    message: 'Only the entry of a program ends it: set process.exitCode.',
  },
];

/** The starter runs before anything is installed. */
const starterImports = {
  regex: '^(?!node:|\\.{1,2}/)',
  message: 'Scripts that run before `npm ci` import only Node built-ins and each other.',
};

export default defineConfig(
  globalIgnores([
    'dist/',
    '.vscode-test/',
    'test-results/',
    'media/demo/',
    'test/fixtures/',
    'test/**/fixtures/',
  ]),
  js.configs.recommended,
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.strictTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      '@typescript-eslint/no-confusing-void-expression': 'off',
      '@typescript-eslint/use-unknown-in-catch-callback-variable': 'off',
      '@typescript-eslint/only-throw-error': ['error', { allowThrowingUnknown: true }],
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', varsIgnorePattern: '^_', ignoreRestSiblings: true },
      ],
      // It is wrong about variables that another callback changes while we await.
      '@typescript-eslint/no-unnecessary-condition': 'off',
      '@typescript-eslint/restrict-template-expressions': [
        'error',
        { allowNumber: true, allowBoolean: true },
      ],
      '@typescript-eslint/consistent-type-imports': ['error', { disallowTypeAnnotations: false }],
    },
  },
  {
    files: ['**/*.ts'],
    plugins: { agentkit: { rules: { imports: importRule } } },
    rules: { 'agentkit/imports': 'error' },
  },
  {
    files: ['scripts/*.mjs', 'scripts/demo/*.mjs'],
    ignores: ['scripts/buildHostTests.mjs'],
    rules: { 'no-restricted-imports': ['error', { patterns: [starterImports] }] },
  },
  {
    files: ['**/*.ts', '**/*.mjs', '**/*.cjs'],
    rules: {
      'max-lines': ['error', 300],
      // Terminal output is full of control characters.
      'no-control-regex': 'off',
      'no-restricted-properties': ['error', ...noExit],
      eqeqeq: 'error',
    },
  },
  { files: ['**/*.mjs', '**/*.cjs'], languageOptions: { globals: nodeGlobals() } },
  { files: ['**/*.cjs'], languageOptions: { sourceType: 'commonjs' } },
  {
    files: ['src/cli/main.ts', 'src/engine/process/supervisor.ts'],
    rules: { 'no-restricted-properties': 'off' },
  },
  { files: ['src/extension.ts'], rules: { 'max-lines': ['error', 100] } },
  {
    files: ['src/core/**'],
    rules: {
      'no-restricted-globals': ['error', ...impureGlobals],
      'no-restricted-syntax': ['error', ...clockInCore],
      'no-restricted-properties': [
        'error',
        ...noExit,
        { object: 'Date', property: 'now', message: 'Core has no clock: take the time as an argument.' },
        { object: 'Math', property: 'random', message: 'Core has no dice: take the value as an argument.' },
      ],
    },
  },
  {
    files: ['test/**'],
    rules: {
      // A missing value is a failing test, which says so by itself.
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/no-dynamic-delete': 'off',
      '@typescript-eslint/no-misused-spread': 'off',
      'max-lines': ['error', 400],
    },
  },
);

function nodeGlobals() {
  const names = [
    'process',
    'console',
    'URL',
    'Buffer',
    'setTimeout',
    'clearTimeout',
    'AbortController',
    'fetch',
  ];
  return Object.fromEntries(names.map((name) => [name, 'readonly']));
}

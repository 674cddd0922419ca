// A small linter: five rules, findings in the format of ESLint's "stylish" formatter, exit 1 when there are any.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** Blanks out comments and strings, keeping every position and what template literals insert. */
function codeOnly(text) {
  const quiet = /\/\*[\s\S]*?\*\/|\/\/[^\n]*|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`/g;
  const blank = (part) => part.replace(/[^\n]/g, ' ');
  return text.replace(quiet, (part) =>
    part.startsWith('`') ? part.split(/(\$\{[^}]*\})/).map((piece, i) => (i % 2 === 1 ? piece : blank(piece))).join('') : blank(part),
  );
}

/** Names that an import statement brings in. */
function importedNames(clause) {
  const names = clause.replace(/[{}]/g, ',').split(',');
  return names.map((name) => name.trim().split(/\s+as\s+/).at(-1)).filter((name) => /^[\w$]+$/.test(name));
}

const patterns = [
  { rule: 'no-var', on: 'code', pattern: /\bvar\b/g, message: 'Unexpected var, use let or const instead' },
  { rule: 'no-console', on: 'code', pattern: /\bconsole\.\w+/g, message: 'Unexpected console statement' },
  { rule: 'no-tabs', on: 'text', pattern: /\t/g, message: 'Unexpected tab character' },
  { rule: 'no-trailing-spaces', on: 'text', pattern: /[ \t]+$/gm, message: 'Trailing spaces not allowed' },
];

/** All findings of one file, by position. */
function lint(text) {
  const code = codeOnly(text);
  const found = patterns.flatMap(({ rule, on, pattern, message }) =>
    [...(on === 'code' ? code : text).matchAll(pattern)].map((match) => ({ at: match.index, message, rule })),
  );
  for (const match of code.matchAll(/^import\s+([^;]+?)\s+from\b/gm)) {
    for (const name of importedNames(match[1])) {
      const uses = code.match(new RegExp(`(?<![\\w$])${name.replaceAll('$', '\\$')}(?![\\w$])`, 'g')) ?? [];
      if (uses.length < 2) found.push({ at: match.index, message: `'${name}' is imported but never used`, rule: 'no-unused-imports' });
    }
  }
  return found.sort((a, b) => a.at - b.at);
}

function report(file) {
  const text = readFileSync(file, 'utf8');
  const rows = lint(text).map(({ at, message, rule }) => {
    const before = text.slice(0, at).split('\n');
    return `  ${before.length}:${before.at(-1).length + 1}  error  ${message}  ${rule}`;
  });
  if (rows.length > 0) process.stdout.write(`${path.resolve(file)}\n${rows.join('\n')}\n\n`);
  return rows.length;
}

const files = process.argv.slice(2).flatMap((folder) => readdirSync(folder).map((name) => path.join(folder, name)));
const count = files.filter((file) => file.endsWith('.mjs')).reduce((sum, file) => sum + report(file), 0);
if (count > 0) {
  process.stdout.write(`\u2716 ${count} problem${count === 1 ? '' : 's'} (${count} error${count === 1 ? '' : 's'}, 0 warnings)\n`);
  process.exitCode = 1;
}

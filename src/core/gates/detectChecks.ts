import * as z from 'zod';
import { checkSchema, type Check } from '../plan/plan.ts';

/** Texts of the files at the top of a repository that tell how it is checked; those that exist. */
export type RepositoryFiles = Partial<Record<RepositoryFile, string>>;
export type RepositoryFile =
  'package.json' | 'Makefile' | 'Cargo.toml' | 'go.mod' | 'pytest.ini' | 'pyproject.toml';

const scriptNames = ['test', 'lint', 'typecheck', 'check'];
const packageSchema = z.object({ scripts: z.record(z.string(), z.unknown()).optional() });

/**
 * The checks that a repository shows by itself. The first place that has any decides, so that a Makefile that
 * calls the package's scripts does not run them twice: package.json, Makefile, Cargo, Go, pytest.
 */
export function detectChecks(files: RepositoryFiles): Check[] {
  const fromScripts = scriptsOf(files['package.json'])
    .filter(([name, text]) => scriptNames.includes(name) && !isPlaceholder(text))
    .toSorted(([a], [b]) => scriptNames.indexOf(a) - scriptNames.indexOf(b))
    .map(([name]) => toCheck(name, `npm run --silent ${name}`));
  if (fromScripts.length > 0) return fromScripts;
  if (/^test[ \t]*:(?![:=])/m.test(files.Makefile ?? '')) return [toCheck('test', 'make test')];
  if (files['Cargo.toml'] !== undefined) return [toCheck('test', 'cargo test')];
  if (files['go.mod'] !== undefined) return [toCheck('test', 'go test ./...')];
  const pytest =
    files['pytest.ini'] !== undefined || /^\[tool\.pytest\b/m.test(files['pyproject.toml'] ?? '');
  return pytest ? [toCheck('test', 'pytest')] : [];
}

function scriptsOf(packageJson: string | undefined): [string, string][] {
  let content: unknown;
  try {
    content = JSON.parse(packageJson ?? '{}');
  } catch {
    // A package.json that npm could not read either offers no scripts.
    return [];
  }
  const { scripts = {} } = packageSchema.safeParse(content).data ?? {};
  return Object.entries(scripts).flatMap(([name, text]) => (typeof text === 'string' ? [[name, text]] : []));
}

/** What `npm init` writes, and scripts without text. */
function isPlaceholder(script: string): boolean {
  return script.trim() === '' || script.includes('no test specified');
}

function toCheck(name: string, run: string): Check {
  return checkSchema.parse({ name, run });
}

import type { z } from 'zod';
import type { PlanProblem } from './plan.ts';
import type { PlanSource } from './planSource.ts';

/** What the schema refuses, each at the line and column of the value, or of the unknown key. */
export function schemaProblems(error: z.ZodError, source: PlanSource): PlanProblem[] {
  return error.issues.flatMap((issue) => {
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.map((key) => source.problemAtKey(issue.path, key, `unknown key "${key}"`));
    }
    const where = formatPath(issue.path);
    if (issue.code === 'invalid_key') {
      const [key, ...above] = [...issue.path].reverse();
      const why = issue.issues.map(describe).join(', ');
      return [source.problemAtKey(above.reverse(), String(key), `${where}: ${why}`)];
    }
    if (where === '') return [source.problemAt([], 'a plan is a mapping with version, name and jobs')];
    if (isMissing(issue, source.value)) return [source.problemAt(issue.path, `${where} is missing`)];
    return [source.problemAt(issue.path, `${where}: ${describe(issue)}`)];
  });
}

type Issue = z.core.$ZodIssue;

function describe(issue: Issue): string {
  if (issue.code === 'invalid_union') {
    const options = issue.errors.flat();
    // What failed for its text says more than what failed for its type.
    const close = options.filter(({ code }) => code !== 'invalid_type');
    if (close.length > 0) return [...new Set(close.map(describe))].join(', or ');
    return `expected ${options.flatMap((option) => (option.code === 'invalid_type' ? option.expected : [])).join(' or ')}`;
  }
  const text = issue.message.replace(/^Invalid (input|option|string): /, '');
  const unquoted =
    issue.code === 'invalid_type' && issue.expected === 'string' && /(number|boolean|null)$/.test(text);
  return unquoted ? `${text}; put it in quotes` : text;
}

function isMissing({ path }: Issue, value: unknown): boolean {
  let at = value;
  for (const step of path) {
    if (!(at instanceof Object)) return false;
    at = Reflect.get(at, step);
  }
  return at === undefined;
}

/** `jobs[0].prompt` */
function formatPath(path: PropertyKey[]): string {
  return path.reduce<string>((text, step) => {
    if (typeof step === 'number') return `${text}[${step}]`;
    return text === '' ? String(step) : `${text}.${String(step)}`;
  }, '');
}

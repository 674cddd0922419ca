import { parseAccount } from '../accounts/account.ts';
import { messageOf } from '../agentKitError.ts';
import { expectedFile, expectedFileProblem } from './expectedFile.ts';
import { globProblem } from './globs.ts';
import type { Job, Plan, PlanProblem } from './plan.ts';
import type { NodePath, PlanSource } from './planSource.ts';

/** What is wrong with ids, paths, kinds and accounts. Kinds are not checked without `knownKinds`. */
export function jobProblems(plan: Plan, source: PlanSource, knownKinds?: readonly string[]): PlanProblem[] {
  const kinds = new KindCheck(source, knownKinds);
  return [
    ...(plan.accounts ?? []).flatMap((account, index) => kinds.ofAccount(account, ['accounts', index])),
    ...kinds.ofKind(plan.review?.kind, ['review', 'kind']),
    ...twice(plan.gate ?? [], ({ name }) => name).map(({ index, name, first }) =>
      source.problemAt(['gate', index, 'name'], `check "${name}" is there twice, first as gate[${first}]`),
    ),
    ...twice(plan.jobs, ({ id }) => id).map(({ index, name, first }) =>
      source.problemAt(['jobs', index, 'id'], `job "${name}" is there twice, first as jobs[${first}]`),
    ),
    ...plan.jobs.flatMap((job, index) => ofJob(job, ['jobs', index], source, kinds)),
  ];
}

function ofJob(job: Job, path: NodePath, source: PlanSource, kinds: KindCheck): PlanProblem[] {
  const problems = [
    ...kinds.ofKind(job.kind, [...path, 'kind']),
    ...kinds.ofAccount(job.account, [...path, 'account'], job.kind),
  ];
  for (const [index, glob] of job.paths.entries()) {
    const problem = globProblem(glob);
    if (problem !== undefined) {
      problems.push(
        source.problemAt([...path, 'paths', index], `"${glob}" is not a path pattern: ${problem}`),
      );
    }
  }
  const file = expectedFile(job.expects);
  const unfit = file === undefined ? undefined : expectedFileProblem(file);
  if (unfit !== undefined)
    problems.push(source.problemAt([...path, 'expects'], `"${file}" is no file of the repository: ${unfit}`));
  return problems;
}

function twice<T>(items: T[], nameOf: (item: T) => string): { index: number; name: string; first: number }[] {
  const names = items.map(nameOf);
  return names
    .map((name, index) => ({ name, index, first: names.indexOf(name) }))
    .filter(({ index, first }) => first < index);
}

class KindCheck {
  readonly #source: PlanSource;
  readonly #known: readonly string[] | undefined;

  constructor(source: PlanSource, known: readonly string[] | undefined) {
    this.#source = source;
    this.#known = known;
  }

  ofKind(kind: string | undefined, path: NodePath): PlanProblem[] {
    if (kind === undefined || !this.#known || this.#known.includes(kind)) return [];
    return [
      this.#source.problemAt(path, `unknown kind "${kind}"; known: ${this.#known.join(', ') || 'none'}`),
    ];
  }

  /** `kind`: what the job itself says, which the account may not contradict. */
  ofAccount(account: string | undefined, path: NodePath, kind?: string): PlanProblem[] {
    if (account === undefined) return [];
    try {
      const parsed = parseAccount(account);
      if (kind === undefined || kind === parsed.kind) return this.ofKind(parsed.kind, path);
      return [
        this.#source.problemAt(
          path,
          `account "${account}" contradicts kind "${kind}"; leave one of them out`,
        ),
      ];
    } catch (error) {
      return [this.#source.problemAt(path, messageOf(error))];
    }
  }
}

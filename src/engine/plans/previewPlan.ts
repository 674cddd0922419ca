import { accountFacts } from '../../core/accounts/accountFacts.ts';
import { messageOf, AgentKitError } from '../../core/agentKitError.ts';
import { locateOverlaps, overlapProblem } from '../../core/plan/locateOverlaps.ts';
import { parsePlan } from '../../core/plan/parsePlan.ts';
import type { Plan, PlanProblem, ResolvedPlan } from '../../core/plan/plan.ts';
import { stages } from '../../core/plan/stages.ts';
import { assign, type Assignment } from '../../core/run/assign.ts';
import type { AccountReading } from '../../core/accounts/usage.ts';
import type { JobPreview, PlanPreview } from '../agentKitTypes.ts';
import { resolveBase } from '../git/resolveBase.ts';
import { findGate } from './findGate.ts';

/** What a preview needs from the machine. */
export interface PreviewSources {
  root: string;
  kinds: readonly string[];
  /** Accounts with what was last read of them, and those that a writer holds. */
  accounts(): Promise<{ readings: AccountReading[]; leased: ReadonlySet<string> }>;
  now: () => Date;
}

/** A plan before its start: what is wrong, who would do what, and what will decide. Changes nothing. */
export async function previewPlan(text: string, sources: PreviewSources): Promise<PlanPreview> {
  const parsed = parsePlan(text, sources.kinds);
  if ('problems' in parsed) return refused(parsed.problems, []);
  const resolved = await resolvePlan(parsed.plan, sources.root);
  if ('whyNot' in resolved) return refused([], [resolved.whyNot]);
  const { plan, source } = resolved;
  const overlaps = locateOverlaps(text, plan);
  const { readings, leased } = await sources.accounts();
  const facts = accountFacts(readings, leased, sources.now().toISOString());
  const assignments = assign(plan.jobs, plan, facts, plan.concurrency ?? Infinity);
  const order = stages(plan.jobs);
  const blocked = assignments.flatMap((each) => ('blocked' in each ? [each] : []));
  const resets = blocked.flatMap((each) => each.next_reset_at ?? []).sort();
  return {
    problems: [],
    plan,
    overlaps,
    stages: order,
    jobs: assignments.map((each) => jobPreview(plan, order, each)),
    writers: assignments.filter((each) => 'account' in each).length,
    gateSource: source,
    accounts: readings,
    next_reset_at: resets[0] ?? null,
    whyNot: [
      ...overlaps.map(overlapProblem).map(formatProblem),
      ...(plan.gate.length === 0 ? [noGate] : []),
      ...new Set(blocked.map((each) => `${each.job}: ${each.blocked}`)),
    ],
  };
}

const noGate =
  'No checks were found that could judge the work: add `gate` to the plan, or a test script to package.json.';

/** `line:column message`, as a person reads it behind a file's name. */
function formatProblem({ line, column, message }: PlanProblem): string {
  return `${line}:${column} ${message}`;
}

function refused(problems: PlanProblem[], whyNot: string[]): PlanPreview {
  const empty = {
    plan: null,
    overlaps: [],
    stages: [],
    jobs: [],
    writers: 0,
    accounts: [],
    next_reset_at: null,
  };
  const lines = problems.map(formatProblem);
  return { ...empty, problems, gateSource: 'none', whyNot: [...lines, ...whyNot] };
}

/** Fills in base, target and gate. */
async function resolvePlan(
  plan: Plan,
  root: string,
): Promise<{ plan: ResolvedPlan; source: PlanPreview['gateSource'] } | { whyNot: string }> {
  try {
    const base = await resolveBase({ root }, plan.base);
    const { gate, source } = await findGate(root, base.sha, plan);
    const into = plan.merge.into ?? base.ref;
    if (into === 'HEAD')
      return { whyNot: 'No branch is checked out, so say where to merge: set merge.into in the plan.' };
    return { plan: { ...plan, base: base.ref, gate, merge: { ...plan.merge, into } }, source };
  } catch (error) {
    if (error instanceof AgentKitError) return { whyNot: messageOf(error) };
    throw error;
  }
}

function jobPreview(plan: ResolvedPlan, order: string[][], assignment: Assignment): JobPreview {
  const job = plan.jobs.find(({ id }) => id === assignment.job);
  const stage = order.findIndex((each) => each.includes(assignment.job));
  const after = job?.depends_on ?? [];
  const base = { job: assignment.job, stage };
  if (!('account' in assignment)) {
    return { ...base, account: null, waits: 'waits' in assignment ? assignment.waits : assignment.blocked };
  }
  const { account, headroom_pct, resets_at } = assignment.account;
  const waits =
    after.length > 0 ? `starts when ${after.join(' and ')} ${after.length > 1 ? 'are' : 'is'} merged` : null;
  return { ...base, account: { name: account, headroom_pct, resets_at }, waits };
}

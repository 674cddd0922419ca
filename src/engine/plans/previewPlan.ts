import type { ErrorReason } from '../../core/agentKitError.ts';
import { locateOverlaps, overlapProblem } from '../../core/plan/locateOverlaps.ts';
import type { GateSource, Plan, PlanProblem, ResolvedPlan } from '../../core/plan/plan.ts';
import { stages } from '../../core/plan/stages.ts';
import { assignAhead } from '../../core/run/assignAhead.ts';
import type { Assignment } from '../../core/run/assign.ts';
import type { AccountView } from '../accounts/viewAccounts.ts';
import { whoAsks } from '../accounts/whoAsks.ts';
import type { JobPreview, PlanPreview, StartOptions } from '../agentKitTypes.ts';
import { requirePersonKinds } from '../agents/user/readPersonKinds.ts';
import { configuredLaneRoot } from '../git/configuredLaneRoot.ts';
import type { Repository } from '../git/openRepository.ts';
import { namesDescribed, type PlanKinds } from './planKinds.ts';
import { readPlan, type PlanPlace } from './readPlan.ts';
import { takenNames } from './takenNames.ts';
import { unallowedCommands } from './unallowedCommands.ts';
import { unconsented } from './unconsented.ts';

/** What a preview needs from the machine. */
export interface PreviewSources extends PlanPlace {
  repository: Repository;
  /** The accounts that a plan may use. */
  accounts(plan: Plan, kinds: PlanKinds['kinds']): Promise<AccountView>;
  environment: Readonly<Record<string, string | undefined>>;
  /** Where the head's own settings say that agents ask. */
  asks: (() => string | null) | undefined;
  /** Whether the commands that a repository names need the person's word; where the editor trusts it they have it. */
  needsTrust: boolean;
}

/**
 * A plan before its start: what is wrong, who would do what, and what will decide. Changes nothing.
 * @throws AgentKitError `invalid_input`, `refused` when the person's settings are not as they should be
 */
export async function previewPlan(
  text: string,
  { ask = false }: StartOptions,
  sources: PreviewSources,
): Promise<PlanPreview> {
  const resolved = await readPlan(text, sources);
  if ('problems' in resolved) {
    // A kind that nobody knows may be one of theirs.
    requirePersonKinds(sources.environment);
    return refused(resolved.problems);
  }
  const { gateSource, base, kinds } = resolved;
  // The run keeps its plan, and with it the person's word.
  const plan = ask ? { ...resolved.plan, permissions: 'ask' as const } : resolved.plan;
  const { environment, asks } = sources;
  const overlaps = locateOverlaps(text, plan);
  const { folder: laneRoot, warnings } = await configuredLaneRoot(sources.repository, plan.worktree?.root);
  const { readings, facts } = await sources.accounts(plan, kinds.kinds);
  const assignments = assignAhead(plan, facts);
  const order = stages(plan.jobs);
  const blocked = assignments.flatMap((each) => ('blocked' in each ? [each] : []));
  const resets = blocked.flatMap((each) => each.next_reset_at ?? []).sort();
  const unfit = [
    ...(plan.gate.length === 0 ? [noGate] : []),
    ...(await unconsented(plan, environment)),
    ...(sources.needsTrust && runsCommands(plan, gateSource, kinds)
      ? await unallowedCommands(sources.repository, base.sha, environment)
      : []),
    ...(await takenNames(plan, { repository: sources.repository, laneRoot })),
  ];
  const none = [...new Set(blocked.map((each) => `${each.job}: ${each.blocked}`))];
  return {
    problems: [],
    plan,
    base: { ref: base.ref, sha: base.sha, how: base.how, warnings: base.warnings },
    lanes: { root: laneRoot, warnings },
    overlaps,
    stages: order,
    jobs: assignments.map((each) => jobPreview(order, each)),
    writers: assignments.filter((each) => 'account' in each).length,
    gateSource,
    accounts: readings,
    next_reset_at: resets[0] ?? null,
    asked_by: [...(ask ? ['--ask'] : []), ...(await whoAsks({ environment, asks, plan: resolved.plan }))],
    whyNot: [...overlaps.map(overlapProblem).map(formatProblem), ...unfit, ...none],
    refusal: refusalOf(overlaps.length > 0, unfit.length > 0, assignments),
  };
}

/** Whether it would run what `agentkit.yaml` names; a gate of the plan's own leaves out only the gate there. */
function runsCommands(plan: ResolvedPlan, gateSource: GateSource, { described }: PlanKinds): boolean {
  const { setup = [], teardown = [] } = plan.worktree ?? {};
  if (gateSource === 'agentkit.yaml' || setup.length + teardown.length > 0) return true;
  return namesDescribed(plan, described);
}

function refusalOf(overlap: boolean, unfit: boolean, assignments: readonly Assignment[]): ErrorReason | null {
  if (overlap) return 'invalid_input';
  if (unfit) return 'refused';
  if (!assignments.some((each) => 'blocked' in each)) return null;
  return assignments.some((each) => 'account' in each) ? 'refused' : 'none_qualifies';
}

const noGate =
  'No checks were found that could judge the work: add `gate` to the plan, or a test script to package.json.';

/** `line:column message`, as a person reads it behind a file's name. */
function formatProblem({ line, column, message }: PlanProblem): string {
  return `${line}:${column} ${message}`;
}

function refused(problems: PlanProblem[]): PlanPreview {
  const empty = {
    plan: null,
    base: null,
    lanes: null,
    overlaps: [],
    stages: [],
    jobs: [],
    writers: 0,
    accounts: [],
    next_reset_at: null,
    asked_by: [],
  };
  const whyNot = problems.map(formatProblem);
  return { ...empty, problems, gateSource: 'none', whyNot, refusal: 'invalid_input' };
}

function jobPreview(order: string[][], assignment: Assignment): JobPreview {
  const stage = order.findIndex((each) => each.includes(assignment.job));
  const base = { job: assignment.job, stage };
  if (!('account' in assignment)) {
    return { ...base, account: null, waits: 'waits' in assignment ? assignment.waits : assignment.blocked };
  }
  const { account, headroom_pct, resets_at } = assignment.account;
  return { ...base, account: { name: account, headroom_pct, resets_at }, waits: null };
}

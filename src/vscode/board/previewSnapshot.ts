import type { Job } from '../../core/plan/plan.ts';
import type { JobPreview, PlanPreview } from '../../engine/agentKitTypes.ts';
import type { BoardCard, BoardSnapshot } from '../../protocol/boardMessages.ts';
import { accountStrip } from './accountStrip.ts';

/**
 * A plan as its board shows it before the start.
 *
 * @param title Shown while the plan cannot be read.
 * @param now RFC 3339 time against which resets are judged.
 */
export function previewSnapshot(preview: PlanPreview, title: string, now: string): BoardSnapshot {
  const { plan } = preview;
  const usedBy = new Map(preview.jobs.flatMap(({ job, account }) => (account ? [[account.name, job]] : [])));
  return {
    mode: 'preview',
    title: plan?.name ?? title,
    status: statusOf(preview),
    base: plan?.base ?? '',
    target: plan?.merge.into ?? '',
    ...(preview.base !== null && {
      baseNotes: {
        how: preview.base.how,
        warnings: [...preview.base.warnings, ...(preview.lanes?.warnings ?? [])],
      },
    }),
    gate: (plan?.gate ?? []).map(({ name, run }) => ({ name, run })),
    gateSource: preview.gateSource,
    writers: preview.writers,
    ...(preview.asked_by.length > 0 && { askedBy: preview.asked_by }),
    accounts: accountStrip(preview.accounts, usedBy, now),
    overlaps: preview.overlaps.map(({ a, b, globA, globB, example }) => ({ a, b, globA, globB, example })),
    problems: preview.problems,
    start: { whyNot: preview.whyNot },
    startedAt: null,
    cards: (plan?.jobs ?? []).map((job) =>
      jobCard(
        job,
        preview.jobs.find((each) => each.job === job.id),
      ),
    ),
  };
}

function jobCard(job: Job, picked: JobPreview | undefined): BoardCard {
  return {
    id: job.id,
    title: titleOf(job),
    column: 'queued',
    state: picked?.waits ? 'waits' : 'planned',
    account: picked?.account?.name ?? null,
    headroomPct: picked?.account?.headroom_pct ?? null,
    resetsAt: picked?.account?.resets_at ?? null,
    since: null,
    activity: null,
    paths: job.paths,
    after: job.depends_on,
    changes: null,
    checks: [],
    reasons: picked?.waits ? [picked.waits] : [],
    prompt: job.prompt,
    stage: picked?.stage ?? 0,
    wants: { kind: job.kind ?? null, account: job.account ?? null },
    actions: [],
  };
}

function titleOf(job: Job): string {
  return job.prompt.trimStart().split('\n', 1)[0] ?? job.id;
}

function statusOf({ plan, problems, overlaps, whyNot }: PlanPreview): string {
  if (!plan) return problems.length === 1 ? 'has 1 problem' : `has ${problems.length} problems`;
  return whyNot.length + overlaps.length === 0 ? 'ready to start' : 'cannot start yet';
}

import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { Command } from 'commander';
import { AgentKitError } from '../../core/agentKitError.ts';
import type { PlanPreview } from '../../engine/agentKit.ts';
import { planCheckAnswer } from '../planCheckAnswer.ts';
import type { Session } from '../session.ts';
import { shellWord } from '../shellWord.ts';

/** `ak plan check` and `ak plan new`. */
export function fillPlan(plan: Command, session: Session): void {
  plan
    .command('check')
    .description('Say whether a plan could start now, and if not, why, with line and column.')
    .argument('<plan>', 'plan file, like plans/demo.yaml')
    .option('--json', 'print plan-check-v1')
    .action(async (file: string) => {
      const preview = await (await session.kit()).previewPlan({ file: resolve(file) });
      if (preview.refusal !== null) session.exitCode = preview.refusal === 'invalid_input' ? 2 : 1;
      session.answer('plan-check-v1', planCheckAnswer(preview), previewText(file, preview));
    });
  plan
    .command('new')
    .description('Write a plan to edit: one job for each piece.')
    .argument('<file>', 'plan file to make, like plans/billing.yaml')
    .argument('[pieces...]', 'one piece of work each, in words')
    .option('--json', 'print plan-new-v1')
    .action(async (file: string, pieces: string[]) => {
      const name = file.replace(/^.*\//, '').replace(/\.ya?ml$/, '');
      const { planFromPieces } = await import('../../core/plan/writePlan.ts');
      const text = planFromPieces({
        name,
        pieces: pieces.length > 0 ? pieces : ['Describe the first piece of work here.'],
      });
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, text, { flag: 'wx' }).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'EEXIST')
          throw new AgentKitError('refused', `${file} exists already; choose another name.`);
        throw new AgentKitError('invalid_input', `${file} cannot be written: ${error.message}`);
      });
      session.answer(
        'plan-new-v1',
        { file },
        `Wrote ${file}. Give each job its paths, then: ak plan check ${shellWord(file)}`,
      );
    });
}

/** A preview for people: the approval that a start needs. */
export function previewText(file: string, preview: PlanPreview): string {
  const { plan } = preview;
  if (plan === null) return preview.whyNot.map((line) => `${file}:${line}`).join('\n');
  const jobs = plan.jobs.map((job) => {
    const found = preview.jobs.find((each) => each.job === job.id);
    const account = found?.account
      ? `${found.account.name} (${found.account.headroom_pct ?? '?'} % free)`
      : 'no account yet';
    return `  ${job.id}: ${account}; writes ${job.paths.length > 0 ? job.paths.join(', ') : 'anything (not checked)'}${found?.waits ? `; ${found.waits}` : ''}`;
  });
  const gate = plan.gate.map(({ name, run }) => `  ${name}: ${run}`);
  const verdict =
    preview.whyNot.length === 0
      ? ['It can start.']
      : ['It cannot start:', ...preview.whyNot.map((each) => `  ${each}`)];
  return [
    `${plan.name}: jobs ${plan.jobs.length}, writers at once ${preview.writers}, from ${plan.base} into ${plan.merge.into}`,
    ...(preview.base === null ? [] : baseLines(preview.base)),
    ...(preview.lanes === null ? [] : laneLines(preview.lanes)),
    ...jobs,
    `Gate (${preview.gateSource}):`,
    ...gate,
    ...(preview.asked_by.length > 0 ? [`Agents ask (said by ${preview.asked_by.join(', ')})`] : []),
    ...verdict,
  ].join('\n');
}

function laneLines({ root, warnings }: NonNullable<PlanPreview['lanes']>): string[] {
  return [`Lanes go to ${root}`, ...warnings.map((warning) => `  ${warning}`)];
}

function baseLines({ ref, sha, how, warnings }: NonNullable<PlanPreview['base']>): string[] {
  return [
    `Lanes start from ${ref} at ${sha.slice(0, 10)} (${how})`,
    ...warnings.map((warning) => `  ${warning}`),
  ];
}

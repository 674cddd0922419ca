import { existsSync } from 'node:fs';
import { AgentKitError, messageOf } from '../../core/agentKitError.ts';
import { redact } from '../../core/safety/redact.ts';
import type { AgentKind, UsageBefore } from '../agents/agentKind.ts';
import { createUserKind } from '../agents/user/createUserKind.ts';
import { readJson, writeJson } from '../store/atomicFile.ts';
import { stepFiles, type StepFiles } from '../store/paths.ts';
import { AccountSignals } from './accountSignals.ts';
import { AgentOutput } from './agentOutput.ts';
import { AgentWatch } from './agentWatch.ts';
import { attemptMark, stepMark } from './attemptMark.ts';
import { CheckOutput } from './checkOutput.ts';
import { claimStep } from './claimStep.ts';
import { processIdentity } from './identity.ts';
import { launchSchema, type Launch, type StepResult } from './launch.ts';
import { placePrompt } from './placePrompt.ts';
import { readAfterwards } from './readAfterwards.ts';
import { runStep, type StepEnd } from './runStep.ts';
import { secretValues } from './secretValues.ts';
import { StatusFile } from './statusFile.ts';
import { Transcript } from './transcript.ts';
import { usageOfRun } from './usageOfRun.ts';
import { watchForStop } from './watchForStop.ts';

const transcriptBytes = 8 * 1024 * 1024;

/**
 * Runs the step of a folder in this process, from the claim to `result.json`. Returns quietly when another
 * supervisor has claimed it. @throws AgentKitError `refused` when the step has a result
 */
export async function superviseStep(
  folder: string,
  environment: NodeJS.ProcessEnv,
  kinds: ReadonlyMap<string, AgentKind>,
): Promise<void> {
  const files = stepFiles(folder);
  if (existsSync(files.result)) {
    throw new AgentKitError('refused', `${folder} has a result; it is not run again`);
  }
  const self = processIdentity(process.pid);
  if (!self) {
    throw new AgentKitError('internal', 'This process does not find itself in the list of processes');
  }
  if (!(await claimStep(files.claim, self))) {
    return;
  }
  const startedAt = new Date();
  const start = performance.now();
  const status = new StatusFile(files.status, {
    supervisor: self,
    child_pid: null,
    state: 'starting',
    last_activity_at: startedAt.toISOString(),
    activity: null,
  });
  let end: StepEnd;
  try {
    end = await supervise(
      folder,
      placePrompt(await readJson(files.launch, launchSchema)),
      files,
      status,
      environment,
      kinds,
    );
  } catch (error) {
    end = { outcome: 'failed', exit: null, message: messageOf(error), truncated: false };
  }
  const result: StepResult = {
    ...end,
    started_at: startedAt.toISOString(),
    ended_at: new Date().toISOString(),
    duration_s: Math.round(performance.now() - start) / 1000,
  };
  await writeJson(files.result, result);
  await status.end({ state: 'ended', child_pid: null, waiting: undefined, stalled_since: undefined });
}

async function supervise(
  folder: string,
  launch: Launch,
  files: StepFiles,
  status: StatusFile,
  inherited: NodeJS.ProcessEnv,
  kinds: ReadonlyMap<string, AgentKind>,
): Promise<StepEnd> {
  const mark = launch.env[attemptMark] ?? folder;
  const environment = childEnvironment(inherited, launch, { [attemptMark]: mark, [stepMark]: folder });
  const secrets = secretValues({ ...inherited, ...environment });
  const hide = (text: string) => redact(text, secrets);
  const transcript = new Transcript(files.transcript, { redact: hide, maxBytes: transcriptBytes });
  const stop = watchForStop(files.stop, launch.timeout_s);
  const watch = new AgentWatch((cause) => stop.stop(cause), launch.waiting_timeout_s);
  try {
    const account = new AccountSignals(hide);
    const kind = launch.role === 'agent' ? kindOf(launch, kinds, inherited) : undefined;
    const output = kind
      ? new AgentOutput(kind, { transcript, redact: hide, account, watch })
      : new CheckOutput(files.output, transcript, hide);
    const before = kind && (await usageBefore(kind, launch));
    const end = await runStep({ launch, files, environment, mark, status, transcript, output, stop });
    for (const signal of kind ? await readAfterwards(kind, launch, end) : []) {
      account.take(signal);
    }
    const message = end.message === undefined ? undefined : hide(end.message);
    if (message !== undefined) {
      transcript.note(message);
    }
    const { usage: told, ...ended } = end;
    const usage = told && before ? usageOfRun(told, before) : told;
    return {
      ...ended,
      ...account.facts(end.outcome),
      ...(usage && Object.keys(usage).length > 0 && { usage }),
      ...(message !== undefined && { message }),
    };
  } finally {
    watch.close();
    stop.close();
    transcript.close();
  }
}

function kindOf(
  { kind: id = '', user_kind: described }: Launch,
  kinds: ReadonlyMap<string, AgentKind>,
  environment: NodeJS.ProcessEnv,
): AgentKind {
  const kind = kinds.get(id) ?? (described && createUserKind(id, described, { environment }));
  if (!kind) {
    throw new AgentKitError('not_found', `There is no kind of agent called "${id}"`);
  }
  return kind;
}

/** Undefined where the stream counts this run alone. */
async function usageBefore(kind: AgentKind, { resume, profile }: Launch): Promise<UsageBefore | undefined> {
  return resume === undefined || !profile ? undefined : kind.usageBefore?.(profile, resume);
}

/** The supervisor's own environment without what is withheld, with what the launch sets. */
function childEnvironment(
  inherited: NodeJS.ProcessEnv,
  launch: Launch,
  marks: Record<string, string>,
): Record<string, string> {
  const environment: Record<string, string> = {};
  for (const [name, value] of Object.entries(inherited)) {
    if (value !== undefined && !launch.withheld.includes(name)) {
      environment[name] = value;
    }
  }
  return { ...environment, ...launch.env, ...marks };
}

import { type Command, InvalidArgumentError, Option } from 'commander';
import { resolve } from 'node:path';
import { AgentKitError } from '../../core/agentKitError.ts';
import type { AgentRunAnswer, AgentRunRequest } from '../../engine/createAgentRuns.ts';
import { notEmpty, positiveNumber } from '../optionValues.ts';
import { progressLine } from '../progressLine.ts';
import { readPrompt } from '../readPrompt.ts';
import { RunSignals } from '../runSignals.ts';
import type { Session } from '../session.ts';

/** Seconds; as long as a job of a plan may take. */
const defaultTimeout = 1800;
/** The longest delay that a timer takes, in seconds. */
const maxTimeout = 2_147_483;

const help = `
Examples:
  ak run claude -- "Explain the tests of this repository"
  ak run codex @work --read-only --json -- - < question.md
  ak run claude --cwd ../other --timeout 3600 --prompt-file work.md

The account: the one you name, else AGENTKIT_PROFILE or your default profile, else (or with AGENTKIT_PROFILE=pick) the
one with most room that no agent writes under. It is held until the agent has ended; with --read-only it is shared.
Before the prompt is sent the CLI is asked who it works for: the wrong account is exit 6.

The agent works without asking. --ask, AGENTKIT_PERMISSIONS=ask or "permissions: ask" in your settings win over
--auto, and hold for everything that the agent starts. What would have to be asked is refused: nobody answers here.

The answer goes to standard output, progress to standard error (--quiet: none). Everything is kept, redacted, in a
folder below $XDG_STATE_HOME/agentkit/runs (~/.local/state/agentkit/runs), the prompt as it is, for you alone; the 50
newest of these folders stay.

Ctrl+C, SIGTERM and a closed terminal stop the agent and everything that it started, and end with 5; a second Ctrl+C
does not wait for that. If ak itself is killed (SIGKILL), the agent goes on and ends at its timeout; its account is
held as long.

Exit codes: 0 done, 1 failed, 2 wrong input, 3 not installed, not logged in or not there, 4 timeout, 5 cancelled,
6 refused by a safety rule.
`;

interface RunOptions {
  cwd?: string;
  timeout: number;
  model?: string;
  outputFormat?: 'text' | 'json';
  ask?: boolean;
  auto?: boolean;
  readOnly?: boolean;
  trustCwd?: boolean;
  resume?: string;
  lane?: string;
  promptFile?: string;
  quiet?: boolean;
  json?: boolean;
}

/** `ak run`: one agent, to its end. */
export function fillRun(command: Command, session: Session): void {
  command
    .usage('<kind> [@profile] [options] (-- PROMPT | -- - | --prompt-file FILE)')
    .argument('<kind>', 'kind of agent, like claude')
    .argument('[words...]', 'the profile, like @work; behind -- the prompt, or - for standard input')
    .option('--cwd <dir>', 'folder to work in', notEmpty)
    .option('--timeout <seconds>', 'stop it after this time', timeoutValue, defaultTimeout)
    .option('--model <model>', "model, in the vendor's words", notEmpty)
    .addOption(new Option('--output-format <format>', 'how to answer').choices(['text', 'json']))
    .option('--ask', 'let the vendor ask before it acts, which here means refuse')
    .option('--auto', 'let it act without asking (the default)')
    .option('--read-only', "the vendor's own read-only mode")
    .option('--trust-cwd', "write into the vendor's settings of this account that the folder is trusted")
    .option('--resume <session>', 'go on with a session of the vendor', notEmpty)
    .option('--lane <lane>', "work in a lane's worktree, while nothing else does", notEmpty)
    .option('--prompt-file <file>', 'the prompt is what is in this file', notEmpty)
    .option('--quiet', 'no progress')
    .option('--json', 'print run-v1; the same as --output-format json')
    .addHelpText('after', help)
    .action(async (kind: string, words: string[], options: RunOptions) => {
      session.json = options.json === true || options.outputFormat === 'json';
      const request = await readRequest(kind, words, options, session);
      await runIt(session, request, options.quiet === true);
    });
}

async function readRequest(
  kind: string,
  words: readonly string[],
  options: RunOptions,
  { behind }: Session,
): Promise<AgentRunRequest> {
  const count = words.length - (behind?.length ?? 0);
  // Then the first word behind -- was taken for the kind; it is part of a prompt, so it is not shown.
  if (count < 0)
    throw new AgentKitError('usage', 'The kind of agent is missing; it stands before --, like claude');
  const [profile, ...more] = words.slice(0, count);
  if (more.length > 0 || profile?.startsWith('@') === false) {
    throw new AgentKitError(
      'usage',
      'Between the kind and -- stands at most a profile, like @work; the prompt comes behind --',
    );
  }
  if (options.lane !== undefined && options.cwd !== undefined) {
    throw new AgentKitError('usage', '--lane and --cwd contradict each other; leave one of them out');
  }
  const { model, resume, lane, ask, auto, readOnly } = options;
  return {
    kind,
    ...(profile !== undefined && { profile }),
    prompt: await readPrompt({ behind, file: options.promptFile }),
    cwd: resolve(options.cwd ?? '.'),
    ...(lane !== undefined && { lane }),
    timeoutS: options.timeout,
    ...(model !== undefined && { model }),
    ...(resume !== undefined && { resume }),
    flags: { ask, auto, readOnly },
    trustCwd: options.trustCwd === true,
  };
}

async function runIt(session: Session, request: AgentRunRequest, quiet: boolean): Promise<void> {
  const { createAgentRuns } = await import('../../engine/createAgentRuns.ts');
  // Whoever reads our progress or our answer may go away; the work goes on.
  for (const stream of [process.stderr, process.stdout]) stream.on('error', () => undefined);
  const say = (text: string) => (quiet ? undefined : session.say(text));
  const signals = new RunSignals(() => say('Stops the agent; a second Ctrl+C does not wait for it.'));
  session.interrupts.release();
  try {
    const runs = createAgentRuns({ node: process.execPath, dist: session.dist, environment: process.env });
    const answer = await runs.run(request, {
      onNote: say,
      onLine: (line) => {
        if (!quiet) process.stderr.write(`${progressLine(line, process.stderr.isTTY)}\n`);
      },
      stop: signals.stop,
      leave: signals.leave,
    });
    tell(session, answer, say);
  } finally {
    signals.close();
  }
}

function tell(session: Session, answer: AgentRunAnswer, say: (text: string) => void): void {
  const { kind, profile, error, session_id: id, duration_s: seconds } = answer;
  session.exitCode = answer.exit;
  session.answer('run-v1', answer, error ? '' : answer.result_text);
  if (session.json) return;
  if (error) session.say(`ak: ${error.message}`);
  if (answer.cli_exit === null) return;
  const goOn = id === undefined ? '' : `; go on with: ak run ${kind} ${profile} --resume ${id}`;
  say(`Took ${Math.round(seconds)} s${goOn}`);
}

function timeoutValue(text: string): number {
  const seconds = positiveNumber(text);
  if (seconds > maxTimeout) throw new InvalidArgumentError(`it must be at most ${maxTimeout} seconds.`);
  return seconds;
}

import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { findMarked } from '../../scripts/leftovers.mjs';
import { installAgentClis } from '../../scripts/agentClis.mjs';
import { findProfile } from '../../src/engine/accounts/profiles.ts';
import type { AgentKind, LaunchOptions, Profile } from '../../src/engine/agents/agentKind.ts';
import { createKinds } from '../../src/engine/agents/kinds.ts';
import { withheldNames } from '../../src/engine/process/childEnvironment.ts';
import type { StepResult } from '../../src/engine/process/launch.ts';
import { readStep, startStep } from '../../src/engine/process/steps.ts';
import { stepFiles } from '../../src/engine/store/paths.ts';
import { answerOf, beginAk, type Working } from '../engine/agentRuns/akProcess.ts';
import type { AgentRunAnswer } from '../../src/engine/createAgentRuns.ts';
import { DemoWorld } from '../engine/conductor/demoWorld.ts';
import { kill, poll } from '../engine/process/stepFixture.ts';
import { inventLoggedOut, inventLogin } from './inventedLogins.ts';
import { ModelServer, type Scenario } from './modelServer.ts';
import type { TestedKind } from './testedKinds.ts';

export interface AgentRun extends Partial<LaunchOptions> {
  kind: TestedKind;
  /** With its `@`. */
  account: string;
  prompt: string;
  timeoutS?: number;
  /** The main checkout when left out. */
  cwd?: string;
}

/** A repository, the real CLIs, an empty home, and a model server that is all they can reach. */
export class AgentWorld extends DemoWorld {
  readonly server = new ModelServer();
  readonly #tokens = new Map<string, string>();
  #steps = 0;

  constructor() {
    super([]);
    mkdirSync(join(this.root, 'home'));
  }

  async open(): Promise<void> {
    await this.server.listen();
    const { bin } = installAgentClis(process.env);
    const { url } = this.server;
    Object.assign(this.environment, {
      PATH: [bin, process.env['PATH']].join(delimiter),
      HTTPS_PROXY: url,
      HTTP_PROXY: url,
      NO_PROXY: '127.0.0.1',
      // Claude Code lets root work without asking only where it is told that this is a sandbox.
      IS_SANDBOX: '1',
    });
  }

  /** Makes an account whose model behaves as the scenario says. */
  account(kind: TestedKind, account: string, scenario: Scenario = 'answer'): void {
    const url = this.#url(scenario);
    this.#tokens.set(
      `${kind}/${account}`,
      inventLogin(kind, this.home(kind, account), account.slice(1), url),
    );
  }

  loggedOutAccount(kind: TestedKind, account: string): void {
    inventLoggedOut(kind, this.home(kind, account), this.#url('not_logged_in'));
  }

  /** Folder of an account's profile. */
  home(kind: TestedKind, account: string): string {
    return join(this.root, 'profiles', kind, account.slice(1));
  }

  /** What the accounts of a kind log in with. */
  tokens(kind: TestedKind): string[] {
    return [...this.#tokens].flatMap(([account, token]) => (account.startsWith(`${kind}/`) ? token : []));
  }

  /** Accounts under which prompts with these words reached the model, as `kind/@name`. */
  accountsThatSent(words: string): string[] {
    const logins = this.server.requests
      .filter(({ told }) => told.some((text) => text.includes(words)))
      .map(({ login }) => login);
    return [...this.#tokens].flatMap(([account, token]) => (logins.includes(token) ? account : []));
  }

  /** Starts an agent the way a lane does; the folder of its step. */
  async start(run: AgentRun): Promise<string> {
    const { dist, environment } = this;
    const folder = join(this.root, 'steps', `${(this.#steps += 1)}`);
    mkdirSync(folder, { recursive: true });
    const file = join(folder, 'prompt.md');
    writeFileSync(file, run.prompt);
    const { profile, argv, env } = await this.#launch(run);
    const launch = {
      version: 1 as const,
      role: 'agent' as const,
      kind: run.kind,
      profile,
      argv,
      cwd: run.cwd ?? this.repo,
      env: { ...env, AGENTKIT_ATTEMPT: folder },
      withheld: withheldNames(environment),
      stdin_file: file,
      timeout_s: run.timeoutS ?? 40,
    };
    await startStep({ folder, launch, node: process.execPath, dist, environment });
    return folder;
  }

  async #launch({ prompt: _prompt, timeoutS: _timeout, cwd: _cwd, kind: id, account, ...options }: AgentRun) {
    const { kind, profile } = await this.find(id, account);
    return { profile, ...kind.launch(profile, { posture: 'auto', ...options }) };
  }

  /** A kind and the profile of one of its accounts. */
  async find(id: TestedKind, account: string): Promise<{ kind: AgentKind; profile: Profile }> {
    const { dist, environment } = this;
    const kind = createKinds({ node: process.execPath, dist, environment }).get(id);
    assert.ok(kind, `there is no kind ${id}`);
    return { kind, profile: await findProfile(kind, account, environment) };
  }

  /** What a person could read of a step. */
  transcript(folder: string): string {
    return readFileSync(stepFiles(folder).transcript, 'utf8');
  }

  /** What lives of a step, its supervisor too. */
  processes(folder: string): { pid: number; command: string }[] {
    return findMarked(`AGENTKIT_ATTEMPT=${folder}`);
  }

  /** The end of a step, and of every process of it. */
  async ended(folder: string): Promise<StepResult> {
    const result = await poll(`the result of ${folder}`, 50_000, async () => {
      const step = await readStep(folder);
      if (step.state === 'lost') {
        assert.fail(`the supervisor is gone: ${readFileSync(stepFiles(folder).supervisorLog, 'utf8')}`);
      }
      return step.result;
    });
    await poll(`the end of all processes of ${folder}`, 5_000, () =>
      this.processes(folder).length === 0 ? true : undefined,
    );
    return result;
  }

  /** `ak run`, as built and as a shell calls it; the prompt goes in by standard input. */
  beginAk({ kind, account, prompt, timeoutS = 40, cwd = this.repo, ...options }: AgentRun): Working {
    const { posture = 'auto', model, resume } = options;
    const flags = ['--json', `--timeout=${timeoutS}`, ...(posture === 'auto' ? [] : [`--${posture}`])];
    if (model !== undefined) flags.push(`--model=${model}`);
    if (resume !== undefined) flags.push(`--resume=${resume}`);
    const args = ['run', kind, account, ...flags, '--', '-'];
    return beginAk(args, { cwd, env: this.environment, input: prompt });
  }

  /** Its answer, once nothing that it started lives any more. */
  async answer({ ended }: Working): Promise<AgentRunAnswer> {
    const answer = answerOf(await ended);
    await poll('the end of all processes', 5_000, () => (this.living().length === 0 ? true : undefined));
    return answer;
  }

  async akRun(run: AgentRun): Promise<AgentRunAnswer> {
    return this.answer(this.beginAk(run));
  }

  /** Everything that lives and was started in this world. */
  living(): { pid: number; command: string }[] {
    return findMarked(`AGENTKIT_PROFILES_DIR=${join(this.root, 'profiles')}`);
  }

  async run(run: AgentRun): Promise<StepResult> {
    return this.ended(await this.start(run));
  }

  read(file: string): string {
    return readFileSync(join(this.repo, file), 'utf8');
  }

  override async dispose(): Promise<void> {
    this.living().forEach(({ pid }) => kill(pid));
    await this.server.close();
    await super.dispose();
  }

  #url(scenario: Scenario): string {
    return `${this.server.url}/s/${scenario}`;
  }
}

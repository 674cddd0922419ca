import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import type { InteractiveOptions } from '../../src/engine/agents/agentKind.ts';
import { withheldNames } from '../../src/engine/process/childEnvironment.ts';
import { AgentWorld } from './agentWorld.ts';
import { kindNames, type TestedKind } from './testedKinds.ts';

const session = '01a22a26-01a3-7d80-bf0a-35a4a24f482e';

/** Options of the CLIs' own, which a person may hand on. */
const own: Record<TestedKind, string[]> = {
  claude: ['--permission-mode=plan', '--model=other', '--append-system-prompt', 'Be brief'],
  codex: ['-s', 'read-only', '-a', 'on-request', '-m', 'other', '-c', 'model="third"'],
  pi: ['--model', 'anthropic/claude-opus-4-5', '--thinking', 'low'],
};

/** How each CLI refuses arguments that it does not understand. */
const misunderstood =
  /unknown option|unexpected argument|cannot be used|Error loading config|Unknown option|invalid value/i;

for (const kind of kindNames) {
  describe(`the screen of the real ${kind}`, function () {
    this.timeout(60_000);
    let world: AgentWorld;
    before(async () => {
      world = new AgentWorld();
      await world.open();
      world.account(kind, '@one');
    });
    after(() => world.dispose());

    /** What it says without a terminal: it has read its arguments by then, and cannot go on. */
    const say = async (options: Partial<InteractiveOptions>): Promise<string> => {
      const { kind: driven, profile } = await world.find(kind, '@one');
      const start = driven.interactive?.(profile, { posture: 'auto', args: [], ...options });
      assert.ok(start);
      const [command = '', ...args] = start.argv;
      const withheld = withheldNames(world.environment);
      const inherited = Object.entries(world.environment).filter(([name]) => !withheld.includes(name));
      const child = spawn(command, args, {
        cwd: world.repo,
        env: { ...Object.fromEntries(inherited), ...start.env },
        stdio: ['ignore', 'pipe', 'pipe'],
        timeout: 30_000,
      });
      const told = await Promise.all([text(child.stdout), text(child.stderr)]);
      return told.join('\n');
    };

    for (const options of [
      { posture: 'ask' },
      { model: 'claude-opus-4-5' },
      { resume: 'last' },
      { resume: 'choose' },
      { resume: { id: session } },
      { posture: 'ask', model: 'claude-opus-4-5', resume: 'last' },
    ] as const) {
      it(`understands ${JSON.stringify(options)}, and the person's own options beside them`, async () => {
        assert.doesNotMatch(await say(options), misunderstood);
        assert.doesNotMatch(await say({ ...options, args: own[kind] }), misunderstood);
      });
    }

    it('does not understand what is no option of it', async () => {
      assert.match(await say({ args: ['--no-such-option-here'] }), misunderstood);
    });
  });
}

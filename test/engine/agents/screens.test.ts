import assert from 'node:assert/strict';
import type { AgentKitError } from '../../../src/core/agentKitError.ts';
import type { InteractiveOptions } from '../../../src/engine/agents/agentKind.ts';
import { claudeScreen } from '../../../src/engine/agents/claude/claudeScreen.ts';
import { codexScreen } from '../../../src/engine/agents/codex/codexScreen.ts';
import { geminiScreen } from '../../../src/engine/agents/gemini/geminiScreen.ts';
import { opencodeScreen } from '../../../src/engine/agents/opencode/opencodeScreen.ts';
import { piScreen } from '../../../src/engine/agents/pi/piScreen.ts';

const profile = { kind: 'codex', name: '@default', folder: null };
const screens: Record<string, (options: InteractiveOptions) => string[]> = {
  claude: (options) => claudeScreen('claude', options),
  codex: (options) => codexScreen(options, profile),
  gemini: geminiScreen,
  opencode: opencodeScreen,
  pi: piScreen,
};

/** Arguments by which a CLI would no longer ask. */
const widening: Record<string, string[]> = {
  claude: [
    '--dangerously-skip-permissions',
    '--allow-dangerously-skip-permissions',
    '--permission-mode bypassPermissions',
    '--permission-mode=acceptEdits',
    '--allowedTools Bash',
    '--allowed-tools=Bash',
    '--settings {}',
    '--agents {}',
  ],
  codex: [
    '--dangerously-bypass-approvals-and-sandbox',
    '--yolo',
    '--approve-for-me',
    '--sandbox danger-full-access',
    '--sandbox=danger-full-access',
    '-s danger-full-access',
    '-sdanger-full-access',
    '-s',
    '--ask-for-approval never',
    '-a never',
    '-anever',
    '-c approval_policy=never',
    '-csandbox_mode="danger-full-access"',
    '--config=sandbox_mode="danger-full-access"',
    '--config "approval_policy"="never"',
  ],
  gemini: [
    '--yolo',
    '-y',
    '-dy',
    '--y',
    '--approval-mode yolo',
    '--approvalMode=auto_edit',
    '--allowed-tools run_shell_command',
    '--policy p.toml',
  ],
  opencode: ['--auto', '--auto=true', '--agent build', '--dangerously-skip-permissions'],
  pi: ['--tools bash', '-t bash', '--extension e.ts', '-e e.ts', '--approve', '-a'],
};

/** Arguments that leave it asking. */
const harmless: Record<string, string[]> = {
  claude: [
    '--permission-mode plan',
    '--permission-mode=default',
    '--verbose',
    '-- --dangerously-skip-permissions',
  ],
  codex: ['-s read-only', '-sread-only', '-a on-request', '-c model="o"', '--search', '-- --yolo'],
  gemini: ['--approval-mode plan', '-d', '--sandbox', '-- -y'],
  opencode: ['--pure', '--log-level DEBUG', '-- --auto'],
  pi: ['-nt', '-xt bash', '--verbose', '-- -a'],
};

describe("a person's own arguments for a screen", () => {
  const refused = (error: AgentKitError) => error.reason === 'refused';
  for (const [kind, screen] of Object.entries(screens)) {
    const open = (posture: 'ask' | 'auto', words: string) => screen({ posture, args: words.split(' ') });

    for (const words of widening[kind] ?? [])
      it(`of ${kind} do not undo ask: ${words}`, () => {
        assert.throws(() => open('ask', words), refused);
        assert.throws(() => open('ask', `--model m ${words}`), new RegExp(words.split(/[ =]/)[0] ?? ''));
        assert.deepEqual(open('auto', words).slice(-words.split(' ').length), words.split(' '));
      });

    for (const words of harmless[kind] ?? [])
      it(`of ${kind} are handed on under ask: ${words}`, () => {
        assert.deepEqual(open('ask', words).slice(-words.split(' ').length), words.split(' '));
      });
  }
});

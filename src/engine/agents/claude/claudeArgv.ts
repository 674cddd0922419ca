import type { LaunchOptions, Posture } from '../agentKind.ts';

/**
 * Names that versions 2.1.197 to 2.1.332 take alike. Where nobody can answer, a tool that would ask is refused. Plan
 * mode is the vendor's read-only one; without the tools that write, rules of a project cannot allow them again.
 */
const permissions: Record<Posture, string[]> = {
  auto: ['--permission-mode=bypassPermissions'],
  ask: ['--permission-mode=default'],
  'read-only': ['--permission-mode=plan', '--disallowedTools=Edit,Write,NotebookEdit'],
};

/** Headless Claude Code that reads its prompt from standard input. Values stand behind `=`, so none is an option. */
export function claudeArgv(executable: string, { posture, model, resume }: LaunchOptions): string[] {
  return [
    executable,
    '--print',
    // Plain JSON output carries no reset time of a limit; the stream needs --verbose.
    '--output-format=stream-json',
    '--verbose',
    ...permissions[posture],
    ...(model !== undefined ? [`--model=${model}`] : []),
    ...(resume !== undefined ? [`--resume=${resume}`] : []),
  ];
}

/** Asks for the quota of an account: no model, no session kept, no hooks, servers or settings of any folder. */
export const claudeUsageArguments: readonly string[] = [
  '--print',
  '--input-format=stream-json',
  '--output-format=stream-json',
  '--verbose',
  '--no-session-persistence',
  '--setting-sources=user',
  '--strict-mcp-config',
  '--settings={"disableAllHooks":true}',
];

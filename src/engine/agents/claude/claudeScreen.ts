import type { InteractiveOptions } from '../agentKind.ts';
import { requireAsking, type WideningOption } from '../requireAsking.ts';
import { sessionOptions } from '../sessionOptions.ts';

/** Settings and agents that are given so can hold a mode and permissions of their own. */
const widening: readonly WideningOption[] = [
  { word: /^--(?:allow-)?dangerously-skip-permissions(?:=.*)?$/ },
  { word: /^--permission-mode(?:=(.*))?$/, harmless: /^(?:default|manual|plan)$/ },
  { word: /^--(?:allowedTools|allowed-tools|permission-prompt-tool|settings|agents)(?:=.*)?$/ },
];

/** Claude Code's own screen. What the vendor wants acknowledged there, the person answers. @throws `refused` */
export function claudeScreen(executable: string, options: InteractiveOptions): string[] {
  requireAsking(options, widening);
  const { posture, model, resume, args } = options;
  return [
    executable,
    // In front: what follows a bare --resume must be an option, or it would be read as what to search for.
    ...sessionOptions(resume, (id) => [`--resume=${id}`]),
    `--permission-mode=${posture === 'auto' ? 'bypassPermissions' : 'default'}`,
    ...(model === undefined ? [] : [`--model=${model}`]),
    ...args,
  ];
}

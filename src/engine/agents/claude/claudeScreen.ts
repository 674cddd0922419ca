import type { InteractiveOptions } from '../agentKind.ts';

/** Claude Code's own screen. What the vendor wants acknowledged there, the person answers. */
export function claudeScreen(
  executable: string,
  { posture, model, resume, args }: InteractiveOptions,
): string[] {
  const session =
    resume === undefined
      ? []
      : resume === 'last'
        ? ['--continue']
        : resume === 'choose'
          ? ['--resume']
          : [`--resume=${resume.id}`];
  return [
    executable,
    // In front: what follows a bare --resume must be an option, or it would be read as what to search for.
    ...session,
    `--permission-mode=${posture === 'auto' ? 'bypassPermissions' : 'default'}`,
    ...(model === undefined ? [] : [`--model=${model}`]),
    ...args,
  ];
}

import type { InteractiveOptions, Profile } from '../agentKind.ts';
import { loginSettings, requireThread } from './codexArguments.ts';

/** Arguments of Codex's own screen. `auto` is confined to its folder and asks nobody; `ask` asks before it leaves it. */
export function codexScreen(options: InteractiveOptions, profile: Profile): string[] {
  const { resume } = options;
  const session =
    resume === undefined
      ? []
      : resume === 'last'
        ? ['resume', '--last']
        : resume === 'choose'
          ? ['resume']
          : ['resume', requireThread(resume.id)];
  return [
    ...session,
    ...loginSettings(profile),
    '-s',
    'workspace-write',
    '-a',
    options.posture === 'auto' ? 'never' : 'on-request',
    ...(options.model === undefined ? [] : [`--model=${options.model}`]),
    ...options.args,
  ];
}

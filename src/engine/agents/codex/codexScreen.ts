import type { InteractiveOptions, Profile } from '../agentKind.ts';
import { requireAsking, type WideningOption } from '../requireAsking.ts';
import { loginSettings, requireThread } from './codexArguments.ts';

const widening: readonly WideningOption[] = [
  { word: /^--(?:dangerously-.*|approve-for-me|full-auto|yolo)$/ },
  { word: /^(?:--sandbox(?:=(.*))?|-s(?:=?(.+))?)$/, harmless: /^(?:read-only|workspace-write)$/ },
  { word: /^(?:--ask-for-approval(?:=(.*))?|-a(?:=?(.+))?)$/, harmless: /^(?:on-request|untrusted)$/ },
  { word: /^(?:--config(?:=(.*))?|-c(?:=?(.+))?)$/, harmless: /^(?![^=]*(?:approv|sandbox|permission))/i },
];

/** Arguments of Codex's own screen. `auto` is confined to its folder and asks nobody; `ask` asks before it leaves it. */
export function codexScreen(options: InteractiveOptions, profile: Profile): string[] {
  requireAsking(options, widening);
  const { resume } = options;
  const session =
    resume === undefined
      ? []
      : resume === 'last'
        ? ['resume', '--last']
        : resume === 'choose'
          ? ['resume']
          : ['resume', requireThread(resume.id)];
  const settings = {
    sandbox_mode: 'workspace-write',
    approval_policy: options.posture === 'auto' ? 'never' : 'on-request',
    ...(options.model !== undefined && { model: options.model }),
  };
  return [
    ...session,
    ...loginSettings(profile),
    // As settings, for the person's own options come on top: Codex refuses an option that stands twice.
    ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${JSON.stringify(value)}`]),
    ...options.args,
  ];
}

import { AgentKitError } from '../../../core/agentKitError.ts';
import type { InteractiveOptions } from '../agentKind.ts';
import { requireAsking, type WideningOption } from '../requireAsking.ts';
import { requireValue } from './opencodeArguments.ts';
import { usualAgent } from './opencodePosture.ts';

/** Another agent can have permissions of its own. */
const widening: readonly WideningOption[] = [
  { word: /^--(?:auto|yolo|dangerously-?skip-?permissions|agent)(?:=.*)?$/i },
];

/** Arguments of OpenCode's own screen, where a person answers what it asks. @throws `refused`, `usage` */
export function opencodeScreen(options: InteractiveOptions): string[] {
  requireAsking(options, widening);
  const { posture, model, resume, args } = options;
  return [
    ...(posture === 'auto' ? ['--auto'] : ['--agent', usualAgent]),
    ...(model === undefined ? [] : ['--model', requireValue(model, 'the name of a model')]),
    ...sessionArguments(resume),
    ...args,
  ];
}

function sessionArguments(resume: InteractiveOptions['resume']): string[] {
  if (resume === undefined) {
    return [];
  }
  if (resume === 'choose') {
    throw new AgentKitError(
      'usage',
      'OpenCode lists its sessions on its own screen; start it and type /sessions',
    );
  }
  return resume === 'last' ? ['--continue'] : ['--session', requireValue(resume.id, 'the id of a session')];
}

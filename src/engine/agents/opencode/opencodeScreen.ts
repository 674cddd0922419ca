import { AgentKitError } from '../../../core/agentKitError.ts';
import type { InteractiveOptions } from '../agentKind.ts';
import { requireValue } from './opencodeArguments.ts';
import { usualAgent } from './opencodePosture.ts';

/** Arguments of OpenCode's own screen, where a person answers what it asks. */
export function opencodeScreen({ posture, model, resume, args }: InteractiveOptions): string[] {
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

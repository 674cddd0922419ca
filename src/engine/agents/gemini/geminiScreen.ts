import { AgentKitError } from '../../../core/agentKitError.ts';
import type { InteractiveOptions } from '../agentKind.ts';
import { requireValue } from './geminiArguments.ts';

/** Arguments of Gemini's own screen, where a person answers what it asks. */
export function geminiScreen({ posture, model, resume, args }: InteractiveOptions): string[] {
  return [
    '--approval-mode',
    posture === 'auto' ? 'yolo' : 'default',
    ...(model === undefined ? [] : ['--model', requireValue(model, 'the name of a model')]),
    ...(resume === undefined ? [] : ['--resume', sessionOf(resume)]),
    ...args,
  ];
}

function sessionOf(resume: NonNullable<InteractiveOptions['resume']>): string {
  if (resume === 'choose') {
    throw new AgentKitError(
      'usage',
      'Gemini CLI lists its sessions on its own screen; start it and type /resume',
    );
  }
  return resume === 'last' ? 'latest' : requireValue(resume.id, 'the id of a session');
}

import { AgentKitError } from '../../../core/agentKitError.ts';
import type { InteractiveOptions } from '../agentKind.ts';
import { requireAsking, type WideningOption } from '../requireAsking.ts';
import { requireValue } from './geminiArguments.ts';

/** Its parser takes long options in any of their spellings, and letters together. */
const widening: readonly WideningOption[] = [
  { word: /^(?:--y(?:olo)?(?:=.*)?|-[a-z]*y.*)$/ },
  { word: /^--approval-?mode(?:=(.*))?$/i, harmless: /^(?:default|plan)$/ },
  { word: /^--(?:allowed-?tools|policy|admin-?policy)(?:=.*)?$/i },
];

/** Arguments of Gemini's own screen, where a person answers what it asks. @throws `refused`, `usage` */
export function geminiScreen(options: InteractiveOptions): string[] {
  requireAsking(options, widening);
  const { posture, model, resume, args } = options;
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

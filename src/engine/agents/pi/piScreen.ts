import type { InteractiveOptions } from '../agentKind.ts';
import { readingTools, requireValue } from './piArguments.ts';

/** Arguments of Pi's own screen. Pi asks before nothing, so `ask` gets only the tools that read. */
export function piScreen({ posture, model, resume, args }: InteractiveOptions): string[] {
  const session =
    resume === undefined
      ? []
      : resume === 'last'
        ? ['--continue']
        : resume === 'choose'
          ? ['--resume']
          : ['--session-id', requireValue(resume.id, 'the id of a session')];
  return [
    ...(posture === 'auto' ? [] : ['--tools', readingTools, '--no-mcp', '--no-extensions']),
    ...(model === undefined ? [] : ['--model', requireValue(model, 'the name of a model')]),
    ...session,
    ...args,
  ];
}

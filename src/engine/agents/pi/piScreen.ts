import type { InteractiveOptions } from '../agentKind.ts';
import { requireAsking, type WideningOption } from '../requireAsking.ts';
import { sessionOptions } from '../sessionOptions.ts';
import { readingTools, requireValue } from './piArguments.ts';

/** More tools, and what a project brings along. */
const widening: readonly WideningOption[] = [
  { word: /^(?:-t|-e|-a|--(?:tools|extension|approve)(?:=.*)?)$/ },
];

/** Arguments of Pi's own screen. Pi asks before nothing, so `ask` gets only the tools that read. @throws `refused` */
export function piScreen(options: InteractiveOptions): string[] {
  requireAsking(options, widening);
  const { posture, model, resume, args } = options;
  return [
    ...(posture === 'auto' ? [] : ['--tools', readingTools, '--no-mcp', '--no-extensions']),
    ...(model === undefined ? [] : ['--model', requireValue(model, 'the name of a model')]),
    ...sessionOptions(resume, (id) => ['--session-id', requireValue(id, 'the id of a session')]),
    ...args,
  ];
}

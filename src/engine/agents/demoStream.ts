import * as z from 'zod';
import { waitingSchema } from '../../core/lanes/waiting.ts';
import type { AgentSignal } from './agentKind.ts';
import { readRecord } from './readRecord.ts';

const demoLineSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('init'), session_id: z.string() }),
  z.object({ type: z.literal('text'), text: z.string() }),
  z.object({
    type: z.literal('tool'),
    name: z.string(),
    path: z.string().optional(),
    message: z.string().optional(),
  }),
  z.object({ type: z.literal('waiting'), reason: waitingSchema.shape.reason, text: z.string() }),
  z.object({ type: z.literal('limit'), window: z.string(), resets_at: z.iso.datetime() }),
  z.object({
    type: z.literal('result'),
    ok: z.boolean(),
    text: z.string(),
    usage: z.object({ input_tokens: z.number(), output_tokens: z.number(), cost_usd: z.number() }),
  }),
]);

/** One line that the demo agent prints. */
export type DemoLine = z.output<typeof demoLineSchema>;

/** Reads one line of the demo agent's stream; anything else is shown as it is. */
export function parseDemoLine(text: string): AgentSignal[] {
  const line = readRecord(demoLineSchema, text);
  if (!line) {
    return text.trim() === '' ? [] : [{ type: 'progress', line: { kind: 'output', text } }];
  }
  switch (line.type) {
    case 'init':
      return [{ type: 'session', id: line.session_id }];
    case 'text':
      return [{ type: 'progress', line: { kind: 'text', text: line.text } }];
    case 'tool': {
      const what = [line.name, line.path, line.message].filter(Boolean).join(' ');
      return [{ type: 'progress', line: { kind: 'tool', text: what } }];
    }
    case 'waiting':
      return [{ type: 'waiting', reason: line.reason, message: line.text }];
    case 'limit':
      return [{ type: 'limit', window: line.window, resets_at: line.resets_at }];
    case 'result':
      return [
        { type: 'progress', line: { kind: line.ok ? 'text' : 'error', text: line.text } },
        { type: 'result', ok: line.ok, text: line.text, usage: line.usage },
      ];
  }
}

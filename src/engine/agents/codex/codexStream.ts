import * as z from 'zod';
import type { AgentSignal } from '../agentKind.ts';
import { progress } from '../progress.ts';
import { readRecord } from '../readRecord.ts';
import { describeCodexFailure } from './codexFailure.ts';

const itemSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('agent_message'), text: z.string() }),
  z.object({ type: z.literal('reasoning'), text: z.string() }),
  z.object({
    type: z.literal('command_execution'),
    command: z.string(),
    exit_code: z.number().nullable().optional(),
  }),
  z.object({
    type: z.literal('file_change'),
    changes: z.array(z.object({ path: z.string(), kind: z.string() })),
    status: z.string().optional(),
  }),
  z.object({ type: z.literal('error'), message: z.string() }),
]);

const lineSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('thread.started'), thread_id: z.string() }),
  z.object({ type: z.literal('turn.started') }),
  z.object({ type: z.literal('item.started'), item: itemSchema }),
  z.object({ type: z.literal('item.completed'), item: itemSchema }),
  z.object({
    type: z.literal('turn.completed'),
    usage: z.object({ input_tokens: z.number(), output_tokens: z.number() }).optional().catch(undefined),
  }),
  z.object({ type: z.literal('error'), message: z.string() }),
  z.object({ type: z.literal('turn.failed'), error: z.object({ message: z.string() }) }),
]);

type Item = z.output<typeof itemSchema>;

/**
 * Reads one line of `codex exec --json`. Only `turn.completed` and `turn.failed` are final; `error` records also
 * tell of attempts that are repeated. The record of success has no text: the answer is the last message before it.
 * The tokens that it counts are those of the whole thread, also where the thread was resumed; the kind's `usageBefore`
 * tells which of them are of earlier runs.
 */
export function parseCodexLine(text: string): AgentSignal[] {
  const line = readRecord(lineSchema, text);
  if (!line) {
    return text.trim() === '' ? [] : [progress('output', text)];
  }
  switch (line.type) {
    case 'thread.started':
      return [{ type: 'session', id: line.thread_id }];
    case 'turn.started':
      return [];
    case 'item.started':
      // Everything else is shown once it is there.
      return line.item.type === 'command_execution' ? [progress('tool', line.item.command)] : [];
    case 'item.completed':
      return readItem(line.item);
    case 'turn.completed':
      return [{ type: 'result', ok: true, text: '', ...(line.usage && { usage: line.usage }) }];
    case 'error':
      return readError(line.message);
    case 'turn.failed':
      return [
        ...describeCodexFailure(line.error.message),
        { type: 'result', ok: false, text: line.error.message },
      ];
  }
}

function readItem(item: Item): AgentSignal[] {
  switch (item.type) {
    case 'agent_message':
      return [progress('text', item.text)];
    case 'reasoning':
      return [progress('note', item.text)];
    case 'command_execution':
      return item.exit_code ? [progress('note', `ended with exit code ${item.exit_code}`)] : [];
    case 'file_change': {
      const failed = item.status === 'failed' ? ' (failed)' : '';
      return item.changes.map(({ kind, path }) => progress('tool', `${kind} ${path}${failed}`));
    }
    case 'error':
      return [progress('note', item.message)];
  }
}

/** How long a network may be away before a run is given up. */
const offlineS = 60;

/** Codex waits for a network for ever and says so every few seconds; nothing else would tell why it is silent. */
function readError(message: string): AgentSignal[] {
  if (!/^Reconnecting\.\.\. /.test(message)) {
    return [progress('error', message)];
  }
  const offline = /^Reconnecting\.\.\. waiting for network\b/.test(message);
  return [
    progress('note', message),
    ...(offline
      ? [{ type: 'refused', reason: 'network', message, hangs: { after_s: offlineS } } as const]
      : []),
  ];
}

import * as z from 'zod';
import type { AgentSignal } from '../agentKind.ts';
import { progress } from '../progress.ts';
import { describePiFailure } from './piFailure.ts';

const usageSchema = z.object({
  input: z.number().catch(0),
  output: z.number().catch(0),
  cost: z
    .object({ total: z.number().catch(0) })
    .optional()
    .catch(undefined),
});

const answerSchema = z.object({
  role: z.literal('assistant'),
  content: z.array(z.object({ type: z.string(), text: z.string().optional() })),
  usage: usageSchema.optional().catch(undefined),
  stopReason: z.string(),
  errorMessage: z.string().optional(),
  /** Epoch in milliseconds. */
  timestamp: z.number().optional(),
});

type Answer = z.output<typeof answerSchema>;

const messageSchema = z.union([answerSchema, z.object({ role: z.string() })]);

const lineSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('session'), id: z.string() }),
  z.object({ type: z.literal('message_end'), message: messageSchema }),
  z.object({ type: z.literal('agent_end'), messages: z.array(messageSchema) }),
  z.object({
    type: z.literal('tool_execution_start'),
    toolName: z.string(),
    args: z.record(z.string(), z.unknown()).optional().catch(undefined),
  }),
  z.object({ type: z.literal('tool_execution_end'), toolName: z.string(), isError: z.boolean() }),
  z.object({
    type: z.literal('auto_retry_start'),
    attempt: z.number(),
    maxAttempts: z.number(),
    errorMessage: z.string(),
  }),
]);

type Line = z.output<typeof lineSchema>;

/** Records that say nothing which another one does not say better. */
const silent = new Set([
  'agent_start',
  'agent_settled',
  'auto_retry_end',
  'entry_appended',
  'message_start',
  'message_update',
  'tool_execution_update',
  'turn_start',
  'turn_end',
]);

/**
 * Reads one line of Pi's JSON mode. Pi ends with exit code 0 whatever happened: the last answer of the model decides,
 * by its stop reason. Each answer counts its own tokens, the end of the agent's run those of all its answers.
 */
export function parsePiLine(text: string): AgentSignal[] {
  const record = readRecord(text);
  if (record === 'silent') {
    return [];
  }
  if (!record) {
    return text.trim() === '' ? [] : [progress('output', text)];
  }
  switch (record.type) {
    case 'session':
      return [{ type: 'session', id: record.id }];
    case 'message_end':
      return isAnswer(record.message) ? readAnswer(record.message) : [];
    case 'agent_end': {
      const answers = record.messages.filter(isAnswer);
      const last = answers.at(-1);
      return last ? [toResult(last, answers)] : [];
    }
    case 'tool_execution_start':
      return [progress('tool', [record.toolName, target(record.args)].filter(Boolean).join(' '))];
    case 'tool_execution_end':
      return record.isError ? [progress('note', `${record.toolName} failed`)] : [];
    case 'auto_retry_start':
      return [progress('note', `Attempt ${record.attempt} of ${record.maxAttempts}: ${record.errorMessage}`)];
  }
}

function readAnswer(answer: Answer): AgentSignal[] {
  const said = textOf(answer);
  const failure = answer.stopReason === 'error' ? (answer.errorMessage ?? '') : '';
  return [
    ...(said === '' ? [] : [progress('text', said)]),
    ...(failure === '' ? [] : [progress('error', failure), ...describePiFailure(failure, answer.timestamp)]),
    toResult(answer, [answer]),
  ];
}

function toResult(last: Answer, counted: Answer[]): AgentSignal {
  const ok = last.stopReason === 'stop';
  const sum = (count: (usage: z.output<typeof usageSchema>) => number) =>
    counted.reduce((total, { usage }) => total + (usage ? count(usage) : 0), 0);
  return {
    type: 'result',
    ok,
    text: ok ? textOf(last) : (last.errorMessage ?? `It ended with the stop reason "${last.stopReason}"`),
    usage: {
      input_tokens: sum((usage) => usage.input),
      output_tokens: sum((usage) => usage.output),
      cost_usd: sum((usage) => usage.cost?.total ?? 0),
    },
  };
}

function textOf(answer: Answer): string {
  return answer.content.flatMap((part) => (part.type === 'text' && part.text ? part.text : [])).join('\n');
}

/** What a tool is used on, where one word of its arguments says it. */
function target(args: Record<string, unknown> | undefined): string {
  const value = args?.['command'] ?? args?.['path'] ?? args?.['pattern'];
  return typeof value === 'string' ? value : '';
}

function isAnswer(message: z.output<typeof messageSchema>): message is Answer {
  return message.role === 'assistant' && 'stopReason' in message;
}

function readRecord(text: string): Line | 'silent' | null {
  try {
    const value: unknown = JSON.parse(text);
    const type = z.object({ type: z.string() }).safeParse(value).data?.type;
    return type !== undefined && silent.has(type) ? 'silent' : (lineSchema.safeParse(value).data ?? null);
  } catch {
    return null;
  }
}

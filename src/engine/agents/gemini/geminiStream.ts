import * as z from 'zod';
import type { AgentSignal } from '../agentKind.ts';
import { progress } from '../progress.ts';
import { readRecord } from '../readRecord.ts';
import { describeGeminiFailure } from './geminiFailure.ts';

const lineSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('init'), session_id: z.string() }),
  z.object({ type: z.literal('message'), role: z.string(), content: z.string() }),
  z.object({
    type: z.literal('tool_use'),
    tool_name: z.string(),
    parameters: z.record(z.string(), z.unknown()).optional().catch(undefined),
  }),
  z.object({
    type: z.literal('tool_result'),
    status: z.string(),
    error: z.object({ message: z.string() }).optional().catch(undefined),
  }),
  z.object({ type: z.literal('error'), message: z.string() }),
  z.object({
    type: z.literal('result'),
    status: z.string(),
    timestamp: z.string().optional(),
    error: z.object({ message: z.string() }).optional().catch(undefined),
    stats: z
      .object({ input_tokens: z.number().catch(0), output_tokens: z.number().catch(0) })
      .optional()
      .catch(undefined),
  }),
]);

type Line = z.output<typeof lineSchema>;

/** An answer that is longer is shown in parts, and its last part is the result. */
const longestAnswer = 256 * 1024;

/**
 * Reads Gemini's stream of one run. An answer comes in pieces, which are put together: a line of progress each, and the
 * last one the result. Only its own record of a success is one: Gemini ends with 0 when it is stopped.
 */
export function openGeminiStream(): (line: string) => AgentSignal[] {
  let pieces = '';
  let answer = '';
  let error = '';
  const endAnswer = (): AgentSignal[] => {
    const said = pieces;
    pieces = '';
    if (said.trim() === '') return [];
    answer = said;
    return [progress('text', said)];
  };
  return (text) => {
    const record = readRecord(lineSchema, text);
    if (!record) {
      return text.trim() === '' ? [] : [progress('output', text)];
    }
    if (record.type === 'message') {
      // The other role is the prompt, said again.
      if (record.role !== 'assistant') return [];
      pieces += record.content;
      return pieces.length > longestAnswer ? endAnswer() : [];
    }
    if (record.type === 'error') {
      error = record.message;
      return [...endAnswer(), progress('note', error)];
    }
    return record.type === 'result'
      ? [...endAnswer(), ...readResult(record, answer, error)]
      : [...endAnswer(), ...readStep(record)];
  };
}

function readStep(record: Extract<Line, { type: 'init' | 'tool_use' | 'tool_result' }>): AgentSignal[] {
  switch (record.type) {
    case 'init':
      return [{ type: 'session', id: record.session_id }];
    case 'tool_use':
      return [progress('tool', [record.tool_name, target(record.parameters)].filter(Boolean).join(' '))];
    case 'tool_result':
      return record.status === 'error'
        ? [progress('note', `The tool failed: ${record.error?.message ?? 'without a word'}`)]
        : [];
  }
}

function readResult(
  record: Extract<Line, { type: 'result' }>,
  answer: string,
  earlier: string,
): AgentSignal[] {
  const ok = record.status === 'success';
  const failure = record.error?.message ?? (earlier || `It ended with the status "${record.status}"`);
  const { stats: usage } = record;
  return [
    ...(ok ? [] : [progress('error', failure), ...describeGeminiFailure(failure, record.timestamp)]),
    { type: 'result', ok, text: ok ? answer : failure, ...(usage && { usage }) },
  ];
}

/** What a tool is used on, where one word of its parameters says it. */
function target(parameters: Record<string, unknown> | undefined): string {
  const names = ['command', 'file_path', 'dir_path', 'path', 'pattern', 'query', 'agent_name'];
  const value = names.map((name) => parameters?.[name]).find((each) => typeof each === 'string');
  return typeof value === 'string' ? value : '';
}

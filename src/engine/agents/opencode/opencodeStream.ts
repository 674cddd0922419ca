import * as z from 'zod';
import type { AgentSignal } from '../agentKind.ts';
import { progress } from '../progress.ts';
import { readRecord } from '../readRecord.ts';
import { describeOpencodeFailure, opencodeErrorSchema, type OpencodeError } from './opencodeFailure.ts';

const lineSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('step_start'), sessionID: z.string() }),
  z.object({ type: z.literal('text'), part: z.object({ text: z.string() }) }),
  z.object({ type: z.literal('reasoning'), part: z.object({ text: z.string() }) }),
  z.object({
    type: z.literal('tool_use'),
    part: z.object({
      tool: z.string(),
      state: z.object({
        status: z.string(),
        input: z.record(z.string(), z.unknown()).catch({}),
        error: z.string().optional().catch(undefined),
      }),
    }),
  }),
  z.object({
    type: z.literal('step_finish'),
    part: z.object({
      reason: z.string(),
      tokens: z
        .object({ input: z.number().catch(0), output: z.number().catch(0) })
        .catch({ input: 0, output: 0 }),
      cost: z.number().catch(0),
    }),
  }),
  z.object({ type: z.literal('error'), sessionID: z.string().optional(), error: opencodeErrorSchema }),
]);

type Line = z.output<typeof lineSchema>;

/** More of an answer is shown, but not kept; what is shown of a result is less. */
const longestAnswer = 256 * 1024;

/**
 * Reads OpenCode's stream of one run. Each step of the model counts its own tokens, which are added up. The last step
 * decides: one that the model stopped by itself is the success, a use of a tool has still to be answered.
 */
export function openOpencodeStream(): (line: string) => AgentSignal[] {
  const usage = { input_tokens: 0, output_tokens: 0, cost_usd: 0 };
  let answer = '';
  return (text) => {
    const record = readRecord(lineSchema, text);
    if (!record) {
      return text.trim() === '' ? [] : [progress('output', text)];
    }
    switch (record.type) {
      case 'step_start':
        answer = '';
        return [{ type: 'session', id: record.sessionID }];
      case 'text':
        if (answer.length <= longestAnswer) answer = [answer, record.part.text].filter(Boolean).join('\n');
        return [progress('text', record.part.text)];
      case 'reasoning':
        return [];
      case 'tool_use':
        return readTool(record.part);
      case 'step_finish': {
        const { reason, tokens, cost } = record.part;
        usage.input_tokens += tokens.input;
        usage.output_tokens += tokens.output;
        usage.cost_usd += cost;
        const ok = reason === 'stop';
        const result = ok ? answer : `It ended with the stop reason "${reason}"`;
        return [{ type: 'result', ok, text: result, usage: { ...usage } }];
      }
      case 'error':
        return [
          ...(record.sessionID === undefined ? [] : [{ type: 'session' as const, id: record.sessionID }]),
          ...readError(record.error),
          { type: 'result', ok: false, text: wordsOf(record.error), usage: { ...usage } },
        ];
    }
  };
}

function readTool({ tool, state }: Extract<Line, { type: 'tool_use' }>['part']): AgentSignal[] {
  const target = ['command', 'filePath', 'path', 'pattern', 'url', 'description']
    .map((name) => state.input[name])
    .find((value) => typeof value === 'string');
  const used = progress('tool', [tool, target].filter(Boolean).join(' '));
  return state.status === 'error'
    ? [used, progress('note', `${tool} failed: ${state.error ?? 'without a word'}`)]
    : [used];
}

function readError(error: OpencodeError): AgentSignal[] {
  return [progress('error', wordsOf(error)), ...describeOpencodeFailure(error)];
}

function wordsOf({ name, data }: OpencodeError): string {
  return data.message || name;
}

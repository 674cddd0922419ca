import * as z from 'zod';
import type { ModelAnswer } from './agentStep.ts';
import { callsOf, type Toolset } from './anthropicTools.ts';
import type { HttpAnswer } from './httpAnswer.ts';

const block = z.looseObject({
  type: z.string(),
  text: z.string().optional(),
  content: z.unknown().optional(),
});
const requestSchema = z.looseObject({
  model: z.string(),
  messages: z.array(z.looseObject({ role: z.string(), content: z.union([z.string(), z.array(block)]) })),
  tools: z.array(z.looseObject({ name: z.string() })).optional(),
});

interface AnthropicQuestion {
  model: string;
  /** Everything the person said. */
  told: string[];
  /** What was answered to the calls of tools. */
  results: string[];
  tools: Toolset;
}

export function readAnthropicRequest(body: unknown): AnthropicQuestion {
  const { messages, model, tools } = requestSchema.parse(body);
  const blocks = messages
    .filter(({ role }) => role === 'user')
    .flatMap(({ content }) => (typeof content === 'string' ? [{ type: 'text', text: content }] : content));
  return {
    told: blocks.flatMap(({ type, text }) => (type === 'text' && text !== undefined ? [text] : [])),
    results: blocks.flatMap(({ type, content }) => (type === 'tool_result' ? textOf(content) : [])),
    model,
    tools: toolsetOf(tools?.map(({ name }) => name) ?? []),
  };
}

/** What a tool answers with is words, or parts of them. */
function textOf(content: unknown): string {
  return typeof content === 'string' ? content : JSON.stringify(content);
}

/** By tools that each offers in every posture. */
function toolsetOf(names: readonly string[]): Toolset {
  return names.includes('Read') ? 'claude' : names.includes('todowrite') ? 'opencode' : 'pi';
}

/** The next turn of an answer as server-sent events of the Messages API. */
export function anthropicTurn(
  answer: ModelAnswer,
  { calls, model, tools }: Pick<AnthropicQuestion, 'model' | 'tools'> & { calls: number },
): HttpAnswer {
  const call = answer.steps.flatMap((step) => callsOf(tools, step))[calls];
  const content = call
    ? { type: 'tool_use', id: `toolu_${calls}`, name: call.name, input: {} }
    : { type: 'text', text: '' };
  const delta = call
    ? { type: 'input_json_delta', partial_json: JSON.stringify(call.input) }
    : { type: 'text_delta', text: answer.say };
  return {
    status: 200,
    events: [
      messageStart(model),
      { type: 'content_block_start', index: 0, content_block: content },
      { type: 'content_block_delta', index: 0, delta },
      { type: 'content_block_stop', index: 0 },
      {
        type: 'message_delta',
        delta: { stop_reason: call ? 'tool_use' : 'end_turn', stop_sequence: null },
        usage: { output_tokens: 12 },
      },
      { type: 'message_stop' },
    ],
  };
}

/** A turn that begins and never goes on. */
export function anthropicSilence(model: string): HttpAnswer {
  return { status: 200, events: [messageStart(model)], open: true };
}

function messageStart(model: string) {
  const usage = {
    input_tokens: 100,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0,
    output_tokens: 1,
  };
  const message = { id: 'msg_test', type: 'message', role: 'assistant', model, content: [], usage };
  return { type: 'message_start', message: { ...message, stop_reason: null, stop_sequence: null } };
}

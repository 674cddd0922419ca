import * as z from 'zod';
import type { AgentStep, ModelAnswer } from './agentStep.ts';
import type { HttpAnswer } from './httpAnswer.ts';

const block = z.looseObject({ type: z.string(), text: z.string().optional() });
const requestSchema = z.looseObject({
  model: z.string(),
  messages: z.array(z.looseObject({ role: z.string(), content: z.union([z.string(), z.array(block)]) })),
});

/** What the model was told in a request, and how many of its tool calls have been answered. */
export function readAnthropicRequest(body: unknown): { told: string[]; calls: number; model: string } {
  const { messages, model } = requestSchema.parse(body);
  const blocks = messages
    .filter(({ role }) => role === 'user')
    .flatMap(({ content }) => (typeof content === 'string' ? [{ type: 'text', text: content }] : content));
  return {
    told: blocks.flatMap(({ type, text }) => (type === 'text' && text !== undefined ? [text] : [])),
    calls: blocks.filter(({ type }) => type === 'tool_result').length,
    model,
  };
}

/** The next turn of an answer as server-sent events of the Messages API. */
export function anthropicTurn(answer: ModelAnswer, calls: number, model: string): HttpAnswer {
  const call = answer.steps.flatMap(toolCalls)[calls];
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

/** Calls of Claude Code's own tools; it edits only what it has read. */
function toolCalls(step: AgentStep): { name: string; input: object }[] {
  if ('write' in step) {
    return [{ name: 'Write', input: { file_path: step.write.path, content: step.write.content } }];
  }
  if ('shell' in step) {
    return [{ name: 'Bash', input: { command: step.shell, description: 'What the test asks for' } }];
  }
  const { path: file_path, find: old_string, with: new_string } = step.replace;
  return [
    { name: 'Read', input: { file_path } },
    { name: 'Edit', input: { file_path, old_string, new_string } },
  ];
}

/** How the vendor refuses; `reset` is in seconds since 1970. */
export function anthropicRefusal(scenario: string, reset: number): HttpAnswer | undefined {
  const refuse = (status: number, type: string, message: string, headers = {}): HttpAnswer => ({
    status,
    headers: { 'x-should-retry': 'false', ...headers },
    json: { type: 'error', error: { type, message }, request_id: 'req_test' },
  });
  switch (scenario) {
    case 'usage_limit':
      return refuse(429, 'rate_limit_error', 'The limit of the test is reached', limitHeaders(reset));
    case 'rate_limited':
      return refuse(429, 'rate_limit_error', 'Too many requests for the test', { 'retry-after': '1' });
    case 'not_logged_in':
      return refuse(401, 'authentication_error', 'OAuth token has expired in the test');
    case 'wrong_model':
      return refuse(404, 'not_found_error', 'model: there is none of that name in the test');
    default:
      return undefined;
  }
}

function limitHeaders(reset: number): Record<string, string> {
  const unified = {
    status: 'rejected',
    'representative-claim': 'five_hour',
    reset: `${reset}`,
    '5h-status': 'rejected',
    '5h-reset': `${reset}`,
    '5h-utilization': '1',
    '7d-status': 'allowed',
    '7d-reset': `${reset + 300_000}`,
    '7d-utilization': '0.17',
    'overage-status': 'rejected',
    'overage-disabled-reason': 'org_level_disabled',
  };
  const headers: Record<string, string> = { 'retry-after': '7200' };
  for (const [name, value] of Object.entries(unified)) headers[`anthropic-ratelimit-unified-${name}`] = value;
  return headers;
}

import * as z from 'zod';
import type { AgentStep, ModelAnswer } from './agentStep.ts';
import type { HttpAnswer } from './httpAnswer.ts';

const item = z.looseObject({
  type: z.string().optional(),
  role: z.string().optional(),
  content: z.array(z.looseObject({ text: z.string().optional() })).nullish(),
  output: z.unknown().optional(),
});
const requestSchema = z.looseObject({ model: z.string(), input: z.array(item) });

const outputs = ['function_call_output', 'custom_tool_call_output'];

/** What the model was told in a request, and what was answered to its calls of tools. */
export function readResponsesRequest(body: unknown): { told: string[]; results: string[]; model: string } {
  const { input, model } = requestSchema.parse(body);
  return {
    told: input
      .filter(({ role }) => role === 'user')
      .flatMap(({ content }) => content ?? [])
      .flatMap(({ text }) => text ?? []),
    results: input.flatMap(({ type, output }) => (outputs.includes(type ?? '') ? textOf(output) : [])),
    model,
  };
}

function textOf(output: unknown): string {
  return typeof output === 'string' ? output : JSON.stringify(output);
}

/** The next turn of an answer as server-sent events of the Responses API. */
export function responsesTurn(answer: ModelAnswer, calls: number): HttpAnswer {
  const step = answer.steps[calls];
  const output = step ? toolCall(step, calls) : message(answer.say);
  const usage = {
    input_tokens: 100,
    input_tokens_details: { cached_tokens: 20 },
    output_tokens: 10,
    output_tokens_details: { reasoning_tokens: 3 },
    total_tokens: 110,
  };
  return {
    status: 200,
    events: [
      created(),
      { type: 'response.output_item.added', output_index: 0, item: output },
      { type: 'response.output_item.done', output_index: 0, item: output },
      {
        type: 'response.completed',
        response: { id: 'resp_test', status: 'completed', output: [output], usage },
      },
    ],
  };
}

/** A turn that begins and never goes on. */
export function responsesSilence(): HttpAnswer {
  return { status: 200, events: [created()], open: true };
}

function created() {
  return { type: 'response.created', response: { id: 'resp_test', status: 'in_progress', output: [] } };
}

function message(text: string) {
  const content = [{ type: 'output_text', text, annotations: [] }];
  return { type: 'message', id: 'msg_test', role: 'assistant', status: 'completed', content };
}

/** A call of Codex's own tools. */
function toolCall(step: AgentStep, index: number) {
  const ids = { id: `item_${index}`, call_id: `call_${index}`, status: 'completed' };
  if ('shell' in step) {
    const call = { name: 'exec_command', arguments: JSON.stringify({ cmd: step.shell }) };
    return { type: 'function_call', ...ids, ...call };
  }
  return { type: 'custom_tool_call', ...ids, name: 'apply_patch', input: patchOf(step) };
}

function patchOf(step: Exclude<AgentStep, { shell: string }>): string {
  const lines = (mark: string, text: string) =>
    text
      .replace(/\n$/, '')
      .split('\n')
      .map((line) => mark + line);
  const change =
    'write' in step
      ? [`*** Add File: ${step.write.path}`, ...lines('+', step.write.content)]
      : [
          `*** Update File: ${step.replace.path}`,
          '@@',
          ...lines('-', step.replace.find),
          ...lines('+', step.replace.with),
        ];
  return ['*** Begin Patch', ...change, '*** End Patch', ''].join('\n');
}

/** How the vendor refuses; `reset` is in seconds since 1970. */
export function responsesRefusal(scenario: string, reset: number, model: string): HttpAnswer | undefined {
  const refuse = (status: number, error: object, headers = {}): HttpAnswer => ({
    status,
    headers,
    json: { error },
  });
  switch (scenario) {
    case 'usage_limit':
      return refuse(
        429,
        {
          type: 'usage_limit_reached',
          message: 'The limit of the test',
          plan_type: 'plus',
          resets_at: reset,
        },
        limitHeaders(reset),
      );
    case 'rate_limited':
      return refuse(429, { type: 'rate_limit_exceeded', code: 'rate_limit_exceeded', message: 'Too many' });
    case 'not_logged_in':
      return refuse(401, { code: 'token_expired', message: 'The token of the test has expired' });
    case 'wrong_model':
      return { status: 400, json: { detail: unsupported(model) } };
    default:
      return undefined;
  }
}

/** The CLI hands these words on, and nothing else tells what is wrong. */
function unsupported(model: string): string {
  return `The '${model}' model is not supported when using Codex with a ChatGPT account.`;
}

function limitHeaders(reset: number): Record<string, string> {
  return {
    'x-codex-primary-used-percent': '100',
    'x-codex-primary-window-minutes': '300',
    'x-codex-primary-reset-at': `${reset}`,
    'x-codex-secondary-used-percent': '17',
    'x-codex-secondary-window-minutes': '10080',
    'x-codex-secondary-reset-at': `${reset + 300_000}`,
    'x-codex-credits-has-credits': 'false',
    'x-codex-credits-unlimited': 'false',
  };
}

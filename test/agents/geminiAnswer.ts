import * as z from 'zod';
import type { AgentStep, ModelAnswer } from './agentStep.ts';
import type { HttpAnswer } from './httpAnswer.ts';

const requestSchema = z.looseObject({
  contents: z.array(
    z.looseObject({
      role: z.string(),
      parts: z.array(
        z.looseObject({ text: z.string().optional(), functionResponse: z.unknown().optional() }),
      ),
    }),
  ),
});

/** Everything the person said, and what was answered to its calls of tools. */
export function readGeminiRequest(body: unknown): { told: string[]; results: string[] } {
  const parts = requestSchema
    .parse(body)
    .contents.filter(({ role }) => role === 'user')
    .flatMap((content) => content.parts);
  return {
    told: parts.flatMap(({ text }) => text ?? []),
    results: parts.flatMap(({ functionResponse: answer }) =>
      answer === undefined ? [] : JSON.stringify(answer),
    ),
  };
}

/** The next turn of an answer, of two pieces where it is words. */
export function geminiTurn(answer: ModelAnswer, calls: number): HttpAnswer {
  const step = answer.steps[calls];
  const half = Math.ceil(answer.say.length / 2);
  const turns = step
    ? [{ functionCall: geminiCall(step) }]
    : [{ text: answer.say.slice(0, half) }, { text: answer.say.slice(half) }];
  const usageMetadata = { promptTokenCount: 10, candidatesTokenCount: 5, totalTokenCount: 15 };
  return {
    status: 200,
    events: turns.map((part, index) => ({
      candidates: [
        {
          content: { role: 'model', parts: [part] },
          ...(index === turns.length - 1 && { finishReason: 'STOP' }),
        },
      ],
      usageMetadata,
    })),
  };
}

/** How the vendor refuses; a plan that is used up resets in two hours. */
export function geminiRefusal(scenario: string): HttpAnswer | undefined {
  if (scenario !== 'usage_limit') return undefined;
  const message = 'You have exhausted your capacity on this model. Your quota will reset after 2h0m0s.';
  const retry = { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '7200s' };
  const error = { code: 429, message, status: 'RESOURCE_EXHAUSTED', details: [retry] };
  return { status: 429, json: { error } };
}

function geminiCall(step: AgentStep): { name: string; args: object } {
  if ('write' in step) {
    return { name: 'write_file', args: { file_path: step.write.path, content: step.write.content } };
  }
  if ('shell' in step) return { name: 'run_shell_command', args: { command: step.shell } };
  const { path: file_path, find: old_string, with: new_string } = step.replace;
  return { name: 'replace', args: { file_path, old_string, new_string, instruction: 'As the test asks' } };
}

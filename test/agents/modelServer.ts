import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import type { ModelAnswer } from './agentStep.ts';
import { anthropicSilence, anthropicTurn, readAnthropicRequest } from './anthropicAnswer.ts';
import { anthropicRefusal } from './anthropicRefusal.ts';
import { geminiRefusal, geminiTurn, readGeminiRequest } from './geminiAnswer.ts';
import type { HttpAnswer } from './httpAnswer.ts';
import {
  readResponsesRequest,
  responsesRefusal,
  responsesSilence,
  responsesTurn,
} from './responsesAnswer.ts';

export type Scenario =
  | 'answer'
  | 'usage_limit'
  /** The limit of the account is reached once its agent has used a tool. */
  | 'limit_after_work'
  | 'rate_limited'
  | 'not_logged_in'
  | 'wrong_model'
  | 'slow';

/** A request to a model, as it came. */
export interface ModelRequest {
  scenario: string;
  path: string;
  model: string;
  /** The login that it came with. */
  login: string;
  /** Everything the person said, one text each. */
  told: string[];
  /** What the CLI answered to the calls of its tools, oldest first. */
  results: string[];
}

/**
 * Stands in for the vendors on a loopback address. The scenario is in the path, so runs at the same time share no
 * state. It is also a proxy that lets nobody out.
 */
export class ModelServer {
  /** All requests for a model's answer, oldest first. */
  readonly requests: ModelRequest[] = [];
  /** Everything that was asked for, as method and path. */
  readonly visits: string[] = [];
  /** Hosts that a CLI wanted to reach through us. */
  readonly refusedHosts = new Set<string>();
  /** When the limits of the scenarios reset, in seconds since 1970. */
  readonly reset = Math.floor(Date.now() / 1000) + 7200;
  readonly #server = createServer((request, response) => void this.#serve(request, response));
  readonly #answers: ModelAnswer[] = [];

  async listen(): Promise<void> {
    this.#server.on('connect', ({ url }, socket) => {
      this.refusedHosts.add(url ?? '');
      // A CLI that was ended hangs up without a word.
      socket.on('error', () => undefined);
      socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
    });
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** What the model does for the prompts that contain the words of an answer; else it just greets. */
  teach(...answers: ModelAnswer[]): void {
    this.#answers.push(...answers);
  }

  async close(): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.#server.closeAllConnections();
    await closed;
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? '/', this.url);
    this.visits.push(`${request.method} ${pathname}`);
    const [, scenario = '', path = ''] = /^\/s\/([^/]+)(\/.*)$/.exec(pathname) ?? [];
    send(response, await this.#answer(request, scenario, path));
  }

  async #answer(request: IncomingMessage, scenario: string, path: string): Promise<HttpAnswer> {
    if (request.method === 'POST' && path.endsWith('/messages')) {
      const { told, model, results, tools } = readAnthropicRequest(await json(request));
      this.#note(request, { scenario, path, model, told, results });
      if (scenario === 'slow') return anthropicSilence(model);
      return (
        anthropicRefusal(refusalOf(scenario, results), this.reset) ??
        anthropicTurn(this.#find(told), { model, tools, calls: results.length })
      );
    }
    if (request.method === 'POST' && path.endsWith('/responses')) {
      const { told, results, model } = readResponsesRequest(await json(request));
      this.#note(request, { scenario, path, model, told, results });
      if (scenario === 'slow') return responsesSilence();
      const refused = responsesRefusal(refusalOf(scenario, results), this.reset, model);
      return refused ?? responsesTurn(this.#find(told), results.length);
    }
    const [, geminiModel] = /\/models\/([^/:]+):streamGenerateContent$/.exec(path) ?? [];
    if (request.method === 'POST' && geminiModel !== undefined) {
      const { told, results } = readGeminiRequest(await json(request));
      this.#note(request, { scenario, path, model: geminiModel, told, results });
      return geminiRefusal(scenario) ?? geminiTurn(this.#find(told), results.length);
    }
    if (path.endsWith('/wham/usage')) return { status: 200, json: this.#codexUsage() };
    return { status: 404, json: { error: { type: 'not_found_error', message: 'Not part of the test' } } };
  }

  #note(request: IncomingMessage, asked: Omit<ModelRequest, 'login'>): void {
    const { authorization, 'x-api-key': key, 'x-goog-api-key': googleKey } = request.headers;
    const login = authorization?.replace(/^Bearer /, '') ?? String(key ?? googleKey ?? '');
    this.requests.push({ ...asked, login });
  }

  #find(told: readonly string[]): ModelAnswer {
    const found = this.#answers.find(({ when }) => told.some((text) => text.includes(when)));
    return found ?? { when: '', steps: [], say: 'Hello from the model of the test.' };
  }

  #codexUsage() {
    const window = (used_percent: number, limit_window_seconds: number) => ({
      used_percent,
      limit_window_seconds,
      reset_after_seconds: 7200,
      reset_at: this.reset,
    });
    return {
      plan_type: 'plus',
      rate_limit: {
        allowed: true,
        limit_reached: false,
        primary_window: window(42, 18_000),
        secondary_window: window(17, 604_800),
      },
      credits: { has_credits: false, unlimited: false, balance: '0' },
    };
  }
}

function refusalOf(scenario: string, results: readonly string[]): string {
  if (scenario !== 'limit_after_work') return scenario;
  return results.length === 0 ? 'answer' : 'usage_limit';
}

function send(response: ServerResponse, answer: HttpAnswer): void {
  if ('json' in answer) {
    response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers });
    response.end(JSON.stringify(answer.json));
    return;
  }
  response.writeHead(answer.status, { 'content-type': 'text/event-stream', ...answer.headers });
  for (const event of answer.events) {
    const type = event.type === undefined ? '' : `event: ${event.type}\n`;
    response.write(`${type}data: ${JSON.stringify(event)}\n\n`);
  }
  if (!answer.open) response.end();
}

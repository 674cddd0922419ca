import type { WaitingReason } from '../../../core/lanes/waiting.ts';
import type { AgentSignal } from '../agentKind.ts';
import {
  claudeRecordSchema,
  type ClaudeMessage,
  type ClaudeMessagePart,
  type ClaudeRecord,
  type ClaudeRecordOf,
} from './claudeRecords.ts';
import { claudeRefusal } from './claudeRefusal.ts';
import { describeToolUse } from './describeToolUse.ts';
import { limitedWindow, readRateLimit } from './readRateLimit.ts';

/** Reads one line of Claude Code's stream. What an agent says or its tools print is shown and never judged. */
export function parseClaudeLine(line: string): AgentSignal[] {
  if (line.trim() === '') {
    return [];
  }
  const record = readRecord(line);
  switch (record?.type) {
    case undefined:
      return [show('output', line)];
    case 'system':
      return readSystem(record);
    case 'assistant':
      return readAssistant(record);
    case 'user':
      return failedTools(record).map((text) => show('error', text));
    case 'control_request':
      return readRequest(record.request);
    case 'rate_limit_event':
      return record.rate_limit_info ? readRateLimit(record.rate_limit_info) : [];
    case 'result':
      return readResult(record);
  }
}

function readRecord(line: string): ClaudeRecord | undefined {
  try {
    return claudeRecordSchema.safeParse(JSON.parse(line)).data;
  } catch {
    return undefined;
  }
}

function readSystem(record: ClaudeRecordOf<'system'>): AgentSignal[] {
  if (record.subtype === 'api_retry') {
    const { attempt = 0, max_retries: most = 0, error_status: status, error } = record;
    const seconds = Math.round((record.retry_delay_ms ?? 0) / 1000);
    const why = [status, error].filter((part) => part !== undefined).join(' ');
    return [show('note', `The call failed (${why}); try ${attempt} of ${most} follows in ${seconds} s`)];
  }
  if (record.subtype !== 'init') {
    return [];
  }
  const { session_id: id, claude_code_version: version = '', model = '' } = record;
  return [
    ...(id !== undefined ? [{ type: 'session', id } as const] : []),
    show('note', `Claude Code ${version}, model ${model}`),
  ];
}

function readAssistant(record: ClaudeRecordOf<'assistant'>): AgentSignal[] {
  const parts = partsOf(record.message);
  const texts = parts.flatMap((part) => (part.type === 'text' && part.text !== undefined ? [part.text] : []));
  if (record.error !== undefined) {
    const message = texts.join('\n') || record.error;
    const info = record.api_error_params?.rate_limit_info;
    // This code is never given for a throttled request; without a time beside it, the words have one.
    const limit: AgentSignal[] =
      record.api_error === 'usage_limit_reached' && info?.resetsAt === undefined
        ? [{ type: 'limit', ...limitedWindow(info), resets_text: message }]
        : info
          ? readRateLimit(info)
          : [];
    // A sub-agent's failure is its parent's to deal with; the result tells whether the run failed for it.
    const reason = record.parent_tool_use_id === undefined ? claudeRefusal(record, message) : undefined;
    return [
      show('error', message),
      ...limit,
      ...(reason !== undefined ? [{ type: 'refused', reason, message } as const] : []),
    ];
  }
  return parts.flatMap((part): AgentSignal[] => {
    if (part.type === 'tool_use') {
      return [show('tool', describeToolUse(part))];
    }
    return part.type === 'text' && part.text !== undefined ? [show('text', part.text)] : [];
  });
}

/** What a tool gave back stays with the agent, unless it failed. */
function failedTools(record: ClaudeRecordOf<'user'>): string[] {
  return partsOf(record.message)
    .filter((part) => part.is_error === true)
    .map(({ content = 'The tool failed' }) =>
      typeof content === 'string' ? content : JSON.stringify(content),
    );
}

/** A question to the person; requests of other sorts are answered by programs. */
function readRequest(request: ClaudeRecordOf<'control_request'>['request']): AgentSignal[] {
  const wait = (reason: WaitingReason, message = ''): AgentSignal[] => [{ type: 'waiting', reason, message }];
  switch (request.subtype) {
    case 'can_use_tool': {
      const { tool_name: name, input } = request;
      return wait(name === 'AskUserQuestion' ? 'question' : 'permission', describeToolUse({ name, input }));
    }
    case 'elicitation':
      return wait('question', request.message);
    case 'request_user_dialog':
      return wait('question', request.dialog_kind);
    default:
      return [];
  }
}

function partsOf(message: ClaudeMessage | undefined): ClaudeMessagePart[] {
  const content = message?.content ?? [];
  return typeof content === 'string'
    ? [{ type: 'text', text: content }]
    : content.filter((part) => part !== undefined);
}

function readResult(record: ClaudeRecordOf<'result'>): AgentSignal[] {
  const ok = record.subtype === 'success' && record.is_error === false;
  const text = record.result ?? record.errors?.join('\n') ?? record.subtype ?? '';
  const reason = ok ? undefined : claudeRefusal(record, text);
  const denials = (record.permission_denials ?? []).map(({ tool_name: name }) => name);
  const denied = [...new Set(denials)];
  return [
    ...denials.map((name) => show('error', `Not permitted: ${name}`)),
    // A good answer was shown when it was given.
    ...(ok ? [] : [show('error', text)]),
    ...(record.session_id !== undefined ? [{ type: 'session', id: record.session_id } as const] : []),
    ...(reason !== undefined ? [{ type: 'refused', reason, message: text } as const] : []),
    { type: 'result', ok, text, usage: usageOf(record), ...(denied.length > 0 && { denied }) },
  ];
}

/**
 * What the model read counts whole, whether or not it came from the vendor's cache. The cost is that of the whole
 * session, also where it was resumed; the kind's `usageBefore` tells how much of it is of earlier runs.
 */
function usageOf({ usage, total_cost_usd: cost }: ClaudeRecordOf<'result'>) {
  const read = [usage?.input_tokens, usage?.cache_creation_input_tokens, usage?.cache_read_input_tokens];
  return {
    ...(usage?.input_tokens !== undefined && {
      input_tokens: read.reduce<number>((sum, tokens) => sum + (tokens ?? 0), 0),
    }),
    ...(usage?.output_tokens !== undefined && { output_tokens: usage.output_tokens }),
    ...(cost !== undefined && { cost_usd: cost }),
  };
}

function show(kind: Extract<AgentSignal, { type: 'progress' }>['line']['kind'], text: string): AgentSignal {
  return { type: 'progress', line: { kind, text } };
}

import * as z from 'zod';

/** A field that is taken when it is as we know it and passed over when not: one odd field costs no record. */
function field<T>(schema: z.ZodType<T>): z.ZodType<T | undefined> {
  return schema.optional().catch(undefined);
}

const text = field(z.string());
const number = field(z.number());

/** Fractions from 0 to 1 and seconds since 1970, unlike the answer to `get_usage`. */
const unifiedWindow = z.object({ utilization: z.number(), resetsAt: z.number().nullish() });

export const rateLimitInfoSchema = z.object({
  status: text,
  /** Seconds since 1970. */
  resetsAt: number,
  rateLimitType: text,
  /** The run goes on, paid for beside the plan. */
  isUsingOverage: field(z.boolean()),
  unifiedWindows: field(z.record(z.string(), field(unifiedWindow))),
});

const contentSchema = z.object({
  type: text,
  text,
  name: text,
  input: field(z.record(z.string(), z.unknown())),
  is_error: field(z.boolean()),
  content: z.unknown().optional(),
});

const messageSchema = z.object({ content: field(z.union([z.string(), z.array(field(contentSchema))])) });

/** How the CLI tells that a call failed, on the record it makes up in place of an answer and on the result. */
const failureFields = {
  error: text,
  api_error: text,
  api_error_status: number,
};

/** One line of `--output-format stream-json`, of versions 2.1.197 to 2.1.332: the fields that we read. */
export const claudeRecordSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('system'),
    subtype: text,
    session_id: text,
    model: text,
    claude_code_version: text,
    attempt: number,
    max_retries: number,
    retry_delay_ms: number,
    error_status: number,
    error: text,
  }),
  z.object({
    type: z.literal('assistant'),
    message: field(messageSchema),
    /** Set on what a sub-agent says. */
    parent_tool_use_id: text,
    api_error_params: field(z.object({ rate_limit_info: field(rateLimitInfoSchema) })),
    ...failureFields,
  }),
  z.object({ type: z.literal('user'), message: field(messageSchema) }),
  /** Only where a host said that it answers: a headless run of ours refuses instead. */
  z.object({
    type: z.literal('control_request'),
    request: z.object({
      subtype: text,
      tool_name: text,
      input: field(z.record(z.string(), z.unknown())),
      message: text,
      dialog_kind: text,
    }),
  }),
  z.object({ type: z.literal('rate_limit_event'), rate_limit_info: field(rateLimitInfoSchema) }),
  z.object({
    type: z.literal('result'),
    subtype: text,
    is_error: field(z.boolean()),
    result: text,
    errors: field(z.array(z.string())),
    session_id: text,
    total_cost_usd: number,
    usage: field(
      z.object({
        input_tokens: number,
        cache_creation_input_tokens: number,
        cache_read_input_tokens: number,
        output_tokens: number,
      }),
    ),
    permission_denials: field(z.array(z.object({ tool_name: z.string() }))),
    ...failureFields,
  }),
]);

export type ClaudeMessagePart = Partial<z.output<typeof contentSchema>>;
export type ClaudeMessage = z.output<typeof messageSchema>;
export type ClaudeRecord = z.output<typeof claudeRecordSchema>;
export type ClaudeRecordOf<T extends ClaudeRecord['type']> = Extract<ClaudeRecord, { type: T }>;
export type RateLimitInfo = z.output<typeof rateLimitInfoSchema>;

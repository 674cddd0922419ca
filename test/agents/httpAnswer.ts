/** An answer over HTTP: JSON, or server-sent events, after which the connection may be kept open in silence. */
export type HttpAnswer = { status: number; headers?: Record<string, string> } & (
  { json: unknown } | { events: readonly ServerSentEvent[]; open?: boolean }
);

/** One without a type is data alone. */
interface ServerSentEvent {
  type?: string;
  [field: string]: unknown;
}

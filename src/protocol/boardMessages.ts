import * as z from 'zod';

/** Shapes that the board's page draws; the host makes them from PlanPreview and RunView. */
const cardSchema = z.object({
  id: z.string(),
  title: z.string(),
  column: z.enum(['queued', 'running', 'needsYou', 'gate', 'review', 'ready', 'merged', 'stopped']),
  /** Word for the state, so that nothing is told by colour alone. */
  state: z.string(),
  account: z.string().nullable(),
  headroomPct: z.number().nullable(),
  resetsAt: z.string().nullable(),
  since: z.string().nullable(),
  activity: z.string().nullable(),
  paths: z.array(z.string()),
  after: z.array(z.string()),
  changes: z.object({ files: z.number(), insertions: z.number(), deletions: z.number() }).nullable(),
  checks: z.array(z.object({ name: z.string(), status: z.string() })),
  /** Why it waits, failed or cannot merge. */
  reasons: z.array(z.string()),
  prompt: z.string(),
  /** Preview: stage it starts in, from 0. */
  stage: z.number().optional(),
  /** Preview: what the plan asks for; both null when any account will do. */
  wants: z.object({ kind: z.string().nullable(), account: z.string().nullable() }).optional(),
  /** Commands that this card offers now, in order; each is a contributed command's verb. */
  actions: z.array(z.object({ id: z.string(), label: z.string() })),
});

export const boardSnapshotSchema = z.object({
  mode: z.enum(['preview', 'run']),
  title: z.string(),
  status: z.string(),
  base: z.string(),
  target: z.string(),
  /** Preview: by which rule the base was found, and what may be unexpected of it. */
  baseNotes: z.object({ how: z.string(), warnings: z.array(z.string()) }).optional(),
  gate: z.array(z.object({ name: z.string(), run: z.string() })),
  gateSource: z.string(),
  writers: z.number(),
  /** Preview: every place that says that agents ask; absent where none does. */
  askedBy: z.array(z.string()).optional(),
  accounts: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      headroomPct: z.number().nullable(),
      resetsAt: z.string().nullable(),
      /** Job that holds it, or that it is picked for. */
      usedBy: z.string().nullable(),
      /** Label of the window that binds, like `weekly`. */
      window: z.string().optional(),
    }),
  ),
  overlaps: z.array(
    z.object({
      a: z.string(),
      b: z.string(),
      globA: z.string(),
      globB: z.string(),
      /** A path that both match. */ example: z.string().optional(),
    }),
  ),
  problems: z.array(z.object({ line: z.number(), column: z.number(), message: z.string() })),
  /** Start: enabled with no reasons; absent on a run's board. */
  start: z.object({ whyNot: z.array(z.string()) }).nullable(),
  startedAt: z.string().nullable(),
  /** When the run came to rest; its clock stops there. */
  endedAt: z.string().nullable().optional(),
  /** Commands for the whole run, like Stop Run or Resume Run. */
  actions: z.array(z.object({ id: z.string(), label: z.string() })).optional(),
  cards: z.array(cardSchema),
});

/** Host to page. */
export const toPageSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('snapshot'), snapshot: boardSnapshotSchema }),
  z.object({ type: z.literal('cards'), cards: z.array(cardSchema), removed: z.array(z.string()) }),
]);

/** Page to host. */
export const toHostSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready') }),
  z.object({ type: z.literal('start') }),
  z.object({
    type: z.literal('edit'),
    job: z.string(),
    field: z.enum(['prompt', 'paths', 'kind', 'account']),
    value: z.string(),
  }),
  z.object({ type: z.literal('action'), card: z.string(), action: z.string() }),
  z.object({ type: z.literal('runAction'), action: z.string() }),
  z.object({ type: z.literal('openSource'), line: z.number().optional(), column: z.number().optional() }),
]);

export type BoardCard = z.output<typeof cardSchema>;
export type BoardSnapshot = z.output<typeof boardSnapshotSchema>;
export type ToPage = z.output<typeof toPageSchema>;
export type ToHost = z.output<typeof toHostSchema>;

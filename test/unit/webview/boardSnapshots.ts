import type { BoardCard, BoardSnapshot } from '../../../src/protocol/boardMessages.ts';

const minute = 60_000;

/** A card with nothing to tell but what the test says. */
export function makeCard(id: string, more: Partial<BoardCard> = {}): BoardCard {
  return {
    id,
    title: id,
    column: 'queued',
    state: 'queued',
    account: null,
    headroomPct: null,
    resetsAt: null,
    since: null,
    activity: null,
    paths: [],
    after: [],
    changes: null,
    checks: [],
    reasons: [],
    prompt: '',
    actions: [],
    ...more,
  };
}

/** A plan of three jobs, two of which start at once. Times stand relative to `now`. */
export function previewSnapshot(now: number): BoardSnapshot {
  const inMinutes = (minutes: number) => new Date(now + minutes * minute).toISOString();
  const job = { state: 'planned' };
  return {
    mode: 'preview',
    title: 'invoices',
    status: '3 jobs, 2 at once',
    base: 'main',
    target: 'main',
    gate: [
      { name: 'test', run: 'npm test' },
      { name: 'lint', run: 'npm run lint' },
    ],
    gateSource: 'detected',
    writers: 2,
    accounts: [
      account('demo/@default', 92, inMinutes(130), 'currency', '5h'),
      account('demo/@work2', 64, inMinutes(3100), 'totals', 'weekly'),
      { ...account('demo/@old', 3, inMinutes(6100), null, 'weekly'), status: 'rate_limited' },
    ],
    overlaps: [],
    problems: [],
    start: { whyNot: [] },
    startedAt: null,
    cards: [
      makeCard('currency', {
        ...job,
        stage: 0,
        title: 'Format amounts in the currency of the customer',
        prompt:
          'Format amounts in the currency of the customer\n\nUse Intl.NumberFormat, keep the rounding of invoice.js, and cover EUR, JPY and CHF with tests.',
        paths: ['src/money/**', 'test/money/**'],
        account: 'demo/@default',
        headroomPct: 92,
        resetsAt: inMinutes(130),
        wants: { kind: 'demo', account: null },
      }),
      makeCard('totals', {
        ...job,
        stage: 0,
        title: 'Sum line items without floating point errors',
        prompt: 'Sum line items without floating point errors',
        paths: ['src/totals/**', 'test/totals/**'],
        account: 'demo/@work2',
        headroomPct: 64,
        resetsAt: inMinutes(3100),
        wants: { kind: null, account: 'demo/@work2' },
      }),
      makeCard('export', {
        stage: 1,
        state: 'waits',
        title: 'Export an invoice as CSV',
        prompt: 'Export an invoice as CSV\n\nOne row a line item; quote as RFC 4180 says.',
        paths: [],
        after: ['currency', 'totals'],
        reasons: ['waits until an account is free'],
        wants: { kind: null, account: null },
      }),
    ],
  };
}

/** The same plan when it must not start: two writers meet, and the file has an error. */
export function refusedSnapshot(now: number): BoardSnapshot {
  const snapshot = previewSnapshot(now);
  return {
    ...snapshot,
    status: 'has 1 problem',
    overlaps: [
      {
        a: 'currency',
        b: 'totals',
        globA: 'src/money/**',
        globB: 'src/**/*.js',
        example: 'src/money/format.js',
      },
    ],
    problems: [{ line: 14, column: 5, message: 'jobs[1].timeout: write a duration like 90s, 10m or 2h' }],
    start: {
      whyNot: [
        'currency and totals may write the same file: src/money/** meets src/**/*.js.',
        '14:5 jobs[1].timeout: write a duration like 90s, 10m or 2h',
        'export: no account of kind codex is logged in',
      ],
    },
  };
}

/** A run in full swing: something in nearly every column. */
export function runSnapshot(now: number): BoardSnapshot {
  const ago = (minutes: number) => new Date(now - minutes * minute).toISOString();
  const inMinutes = (minutes: number) => ago(-minutes);
  const passed = [
    { name: 'test', status: 'passed' },
    { name: 'lint', status: 'passed' },
  ];
  const showTerminal = { id: 'showTerminal', label: 'Show Terminal' };
  const review = { id: 'reviewChanges', label: 'Review Changes' };
  return {
    ...previewSnapshot(now),
    mode: 'run',
    status: 'running, 1 of 8 merged',
    start: null,
    startedAt: ago(27),
    accounts: [
      account('demo/@default', 92, inMinutes(130), 'export', '5h'),
      account('demo/@work2', 64, inMinutes(3100), 'dates', 'weekly'),
      account('demo/@work3', 21, inMinutes(88), 'mail', '5h'),
      { ...account('demo/@old', 3, inMinutes(6100), null, 'weekly'), status: 'rate_limited' },
    ],
    writers: 3,
    actions: [{ id: 'stop', label: 'Stop Run' }],
    cards: [
      makeCard('docs', {
        after: ['export'],
        reasons: ['Waits for export to be merged'],
        prompt: 'Describe the export.',
      }),
      makeCard('export', {
        title: 'Export an invoice as CSV',
        column: 'running',
        state: 'running',
        account: 'demo/@default',
        headroomPct: 92,
        since: ago(4),
        activity: 'Editing src/export/csv.js: quote fields that hold a separator, a quote or a line end',
        changes: { files: 3, insertions: 120, deletions: 8 },
        after: ['currency'],
        prompt: 'Export an invoice as CSV\n\nOne row a line item; quote as RFC 4180 says.',
        paths: ['src/export/**', 'test/export/**'],
        actions: [showTerminal, { id: 'stop', label: 'Stop' }],
      }),
      makeCard('dates', {
        title: 'Due dates that skip weekends',
        column: 'running',
        state: 'preparing',
        account: 'demo/@work2',
        headroomPct: 64,
        since: ago(0),
        prompt: 'Due dates',
        paths: ['src/dates/**'],
        actions: [{ id: 'stop', label: 'Stop' }],
      }),
      makeCard('mail', {
        title: 'Send the invoice by mail',
        column: 'needsYou',
        state: 'waiting',
        account: 'demo/@work3',
        headroomPct: 21,
        since: ago(7),
        reasons: ['The agent asks for permission to run `npm install nodemailer`'],
        actions: [showTerminal, { id: 'stop', label: 'Stop' }],
      }),
      makeCard('rates', {
        title: 'Cache exchange rates for a day',
        column: 'gate',
        state: 'verifying',
        account: 'demo/@work2',
        headroomPct: 64,
        since: ago(2),
        changes: { files: 2, insertions: 48, deletions: 3 },
        checks: [
          { name: 'test', status: 'passed' },
          { name: 'lint', status: 'running' },
        ],
        actions: [showTerminal],
      }),
      makeCard('totals', {
        title: 'Sum line items without floating point errors',
        column: 'ready',
        state: 'ready',
        account: 'demo/@work2',
        headroomPct: 64,
        since: ago(3),
        paths: ['src/totals/**', 'test/totals/**'],
        prompt: 'Sum line items without floating point errors',
        changes: { files: 4, insertions: 86, deletions: 31 },
        checks: passed,
        actions: [
          { id: 'merge', label: 'Review and Merge…' },
          review,
          { id: 'openWorktree', label: 'Open Worktree' },
        ],
      }),
      makeCard('currency', {
        title: 'Format amounts in the currency of the customer',
        column: 'merged',
        state: 'merged',
        since: ago(6),
        changes: { files: 5, insertions: 142, deletions: 17 },
        checks: passed,
        actions: [review],
      }),
      makeCard('pdf', {
        title: 'Print an invoice as PDF',
        column: 'stopped',
        state: 'blocked',
        since: ago(11),
        reasons: ['agent exited with 1 twice, on demo/@work2 and demo/@work3'],
        actions: [{ id: 'retry', label: 'Retry' }, showTerminal],
      }),
      makeCard('tax', {
        title: 'Reverse charge for customers in other EU countries',
        column: 'needsYou',
        state: 'failed',
        since: ago(11),
        changes: { files: 2, insertions: 33, deletions: 2 },
        checks: [
          { name: 'test', status: 'failed' },
          { name: 'lint', status: 'passed' },
        ],
        reasons: ['test: 2 of 14 tests fail, the first in test/tax/reverse.test.js:12'],
        actions: [{ id: 'retry', label: 'Retry' }, review, showTerminal],
      }),
    ],
  };
}

function account(
  name: string,
  headroomPct: number,
  resetsAt: string,
  usedBy: string | null,
  window: string,
): BoardSnapshot['accounts'][number] {
  return { name, status: 'ok', headroomPct, resetsAt, usedBy, window };
}

import { stripAnsi } from './stripAnsi.ts';

/** One test point of a TAP stream, with what its diagnostics say. */
export interface TapPoint {
  ok: boolean;
  /** `todo` and `skip` points count as passed whatever they say, and so does what lies below them. */
  directive?: 'todo' | 'skip';
  /** Outer names first. */
  names: string[];
  /** Whether points below it failed, so that it only repeats them. */
  failedBelow: boolean;
  diagnostics: Map<string, string>;
}

export interface TapStream {
  /** Whether this is TAP at all: a version line, a plan or a test point. */
  isTap: boolean;
  points: TapPoint[];
  /** Text of a `Bail out!`. */
  bailOut?: string;
  /** Numbers of the runner's own summary (`# tests 3`), of several runs together. */
  summary: Map<string, number>;
}

const pointLine = /^( *)(not )?ok\b(?: +\d+)?(?: +-)?(?: +(.*))?$/;

/** Reads TAP 12 to 14 with nested subtests as node's runner, tape and node-tap write it; other lines are passed over. */
export function readTap(output: string): TapStream {
  const stream: TapStream = { isTap: false, points: [], summary: new Map() };
  const lines = stripAnsi(output).split('\n');
  /** Names of the subtests that are open, by depth of indent. */
  let open: { indent: number; name: string }[] = [];
  /** Whether a point failed, by depth of indent, since the last point of less depth: what lies below the next. */
  const below = new Map<number, boolean>();
  /** Depths of indent of the points so far. */
  const indents: number[] = [];
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index] ?? '';
    const subtest = /^( *)# Subtest: (.*)$/.exec(line);
    if (subtest) {
      const indent = subtest[1]?.length ?? 0;
      open = [...open.filter((outer) => outer.indent < indent), { indent, name: unescape(subtest[2] ?? '') }];
      continue;
    }
    const point = pointLine.exec(line);
    if (point) {
      const indent = point[1]?.length ?? 0;
      const { name, directive } = readDescription(point[3] ?? '');
      const { diagnostics, end } = readDiagnostics(lines, index + 1, indent);
      const failed = point[2] !== undefined && directive === undefined;
      if (directive !== undefined) pardonBelow(indent, stream.points, indents);
      indents.push(indent);
      stream.points.push({
        ok: !failed,
        ...(directive === undefined ? {} : { directive }),
        names: [...open.filter((outer) => outer.indent < indent).map((outer) => outer.name), name],
        failedBelow: [...below].some(([depth, anyFailed]) => depth > indent && anyFailed),
        diagnostics,
      });
      for (const depth of [...below.keys()]) if (depth > indent) below.delete(depth);
      below.set(indent, failed || below.get(indent) === true);
      stream.isTap = true;
      index = end - 1;
      continue;
    }
    readOther(line, stream);
  }
  return stream;
}

function pardonBelow(indent: number, points: TapPoint[], indents: readonly number[]): void {
  const first = indents.findLastIndex((each) => each <= indent) + 1;
  for (const point of points.slice(first)) point.ok = true;
}

function readOther(line: string, stream: TapStream): void {
  if (/^TAP version \d+$/.test(line) || /^1\.\.\d+( *#.*)?$/.test(line)) stream.isTap = true;
  const bailOut = /^ *Bail out!\s*(.*)$/.exec(line)?.[1];
  if (bailOut !== undefined) stream.bailOut ??= bailOut;
  const [, name, count] = /^# (tests|skipped) +(\d+)$/.exec(line) ?? [];
  if (name !== undefined) stream.summary.set(name, (stream.summary.get(name) ?? 0) + Number(count));
}

function readDescription(text: string): { name: string; directive?: 'todo' | 'skip' } {
  // A "#" of the name itself is escaped.
  const [, name = text, word] = /^((?:\\.|[^\\#])*)# *(todo|skip)/i.exec(text) ?? [];
  const directive = word?.toLowerCase();
  return {
    name: unescape(name.trim()),
    ...(directive === 'todo' || directive === 'skip' ? { directive } : {}),
  };
}

function unescape(text: string): string {
  return text.replace(/\\([\\#])/g, '$1');
}

/** The YAML-like block below a point: top keys with their text. It is not always valid YAML, so it is read by lines. */
function readDiagnostics(
  lines: string[],
  start: number,
  indent: number,
): { diagnostics: Map<string, string>; end: number } {
  const diagnostics = new Map<string, string>();
  const pad = /^ *(?=---\s*$)/.exec(lines[start] ?? '')?.[0].length;
  if (pad === undefined || pad <= indent) return readPlainText(lines, start, indent);
  // Keys stand under the dashes, or deeper: as the first one does.
  const keyPad = Math.max(pad, /^ */.exec(lines[start + 1] ?? '')?.[0].length ?? 0);
  let key: string | undefined;
  let index = start + 1;
  for (; index < lines.length; index++) {
    const line = lines[index] ?? '';
    // Deeper dots belong to a message, as in node's diffs.
    if (line.trimEnd() === `${' '.repeat(pad)}...`) return { diagnostics, end: index + 1 };
    if (line.trim() !== '' && !line.startsWith(' '.repeat(pad))) break;
    const text = line.slice(keyPad);
    const entry = /^([A-Za-z_][\w-]*): ?(.*)$/.exec(text);
    if (entry) {
      key = entry[1] ?? '';
      const value = entry[2] ?? '';
      diagnostics.set(key, /^[|>][+-]?\d?$/.test(value) ? '' : unquote(value));
    } else if (key !== undefined) {
      const before = diagnostics.get(key);
      diagnostics.set(key, before ? `${before}\n${text.slice(2)}` : text.slice(2));
    }
  }
  return { diagnostics, end: index };
}

/** What mocha writes below a point that failed: the message and the stack as indented text, without a YAML block. */
function readPlainText(
  lines: string[],
  start: number,
  indent: number,
): { diagnostics: Map<string, string>; end: number } {
  const belongs = (line: string) =>
    line.trim() === '' ||
    (line.startsWith(' '.repeat(indent + 2)) && !/^ *((not )?ok\b|# |\d+\.\.\d)/.test(line));
  let end = start;
  while (end < lines.length && belongs(lines[end] ?? '')) end += 1;
  const text = lines.slice(start, end).map((line) => line.trim());
  const diagnostics = new Map<string, string>();
  if (text.some((line) => line !== '')) {
    const firstFrame = text.findIndex((line) => /^at .*:\d+:\d+\)?$/.test(line));
    const message = firstFrame < 0 ? text : text.slice(0, firstFrame);
    // Mocha says the message twice; the first paragraph and what was found are in its first half.
    const half = message.findIndex((line, index) => index > 0 && /^\w*Error\b.*: /.test(line));
    diagnostics.set('error', (half < 0 ? message : message.slice(0, half)).join('\n').trim());
    diagnostics.set('stack', text.join('\n'));
  }
  return { diagnostics, end };
}

/** Node quotes like JavaScript: with ', " or `. */
function unquote(value: string): string {
  const quoted = /^(['"`])([\s\S]*)\1$/.exec(value);
  return quoted ? (quoted[2] ?? '').replace(/\\(['"`\\])/g, '$1') : value;
}

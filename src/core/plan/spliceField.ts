import { isAlias, isNode, isScalar, isSeq, type Node, type Pair, type YAMLMap, type YAMLSeq } from 'yaml';
import type { JobField } from './readField.ts';
import { blockText, indentLines, toYaml } from './toYaml.ts';

/** A stretch of text and what comes in its place. */
interface Splice {
  start: number;
  end: number;
  text: string;
}

/**
 * Changes one field of a job by replacing as little text as possible. Undefined where the layout is one that
 * it does not know (aliases, anchors, comments inside what would be replaced, a missing key in `{…}`).
 * The caller reads the result back.
 */
export function spliceField(
  text: string,
  job: YAMLMap,
  field: JobField,
  value: string | string[] | undefined,
): string | undefined {
  const pair = pairOf(job, field);
  const splice = !pair
    ? insertion(text, job, field, value)
    : value === undefined
      ? removal(text, job, pair)
      : replacement(text, job, pair, value);
  if (!splice) return undefined;
  const lineEnd = text.includes('\r\n') ? '\r\n' : '\n';
  return text.slice(0, splice.start) + splice.text.replaceAll('\n', lineEnd) + text.slice(splice.end);
}

function replacement(text: string, job: YAMLMap, pair: Pair, value: string | string[]): Splice | undefined {
  const node = pair.value;
  if (
    !isNode(node) ||
    isAlias(node) ||
    !node.range ||
    ('anchor' in node && node.anchor) ||
    node.tag !== undefined
  )
    return undefined;
  const [start, end] = node.range;
  const old = text.slice(start, end);
  if (Array.isArray(value)) {
    if (isSeq(node) && !node.flow) return blockSequence(text, pair, node, value);
    if (old.includes('#')) return undefined;
    return { start, end, text: `${old === '' ? ' ' : ''}${flowSequence(value)}` };
  }
  if (job.flow) return { start, end, text: JSON.stringify(value) };
  const rendered = renderText(value, indentOf(text, job));
  if (!/^[|>]/.test(old)) {
    // What follows on the line, a comment, goes behind the block's mark.
    const restEnd = lineEndAt(text, end);
    const [head = '', ...lines] = rendered.split('\n');
    const spaced = `${old === '' ? ' ' : ''}${head}${text.slice(end, restEnd).trimEnd()}`;
    return { start, end: restEnd, text: [spaced, ...lines].join('\n') };
  }
  const comment = /^[^\n#]*?([ \t]+#[^\r\n]*)/.exec(old)?.[1] ?? '';
  const blank = /(\r?\n[ \t]*)*$/.exec(old)?.[0] ?? '';
  const [head = '', ...lines] = rendered.split('\n');
  return { start, end, text: [head + comment, ...lines].join('\n') + blank.replaceAll('\r', '') };
}

/** A new key on a line of its own: paths behind the prompt, the others behind the id. */
function insertion(
  text: string,
  job: YAMLMap,
  field: JobField,
  value: string | string[] | undefined,
): Splice | undefined {
  if (job.flow || value === undefined) return undefined;
  const before = (field === 'paths' ? pairOf(job, 'prompt') : undefined) ?? pairOf(job, 'id');
  if (!isNode(before?.value) || !before.value.range) return undefined;
  const end = before.value.range[1];
  const indent = indentOf(text, job);
  const rendered = Array.isArray(value) ? flowSequence(value) : renderText(value, indent);
  const line = `${indent}${field}: ${rendered}`;
  if (text[end - 1] === '\n') return { start: end, end, text: `${line}\n` };
  const at = lineEndAt(text, end);
  return { start: at, end: at, text: `\n${line}` };
}

/** Takes a key out with its line, or, when it stands first behind `- `, up to the next key. */
function removal(text: string, job: YAMLMap, pair: Pair): Splice | undefined {
  const start = startOf(pair);
  if (job.flow || start === undefined || !isNode(pair.value) || !pair.value.range) return undefined;
  const lineStart = text.lastIndexOf('\n', start - 1) + 1;
  if (text.slice(lineStart, start).trim() === '') {
    return { start: lineStart, end: lineAfter(text, pair.value.range[1]), text: '' };
  }
  const next = startOf(job.items[job.items.indexOf(pair) + 1]);
  return next === undefined ? undefined : { start, end: next, text: '' };
}

/** Keeps the lines of entries that stay, with their comments, and adds the new ones behind. */
function blockSequence(text: string, pair: Pair, node: YAMLSeq, value: string[]): Splice | undefined {
  const seqStart = node.range?.[0] ?? 0;
  const start = text.lastIndexOf('\n', seqStart - 1) + 1;
  const indent = text.slice(start, seqStart);
  if (indent.trim() !== '') return undefined;
  const chunks = new Map<string, string>();
  let end = start;
  for (const item of node.items) {
    if (!isScalar(item) || typeof item.value !== 'string' || !item.range) return undefined;
    const next = lineAfter(text, item.range[1]);
    chunks.set(
      item.value,
      text
        .slice(end, next)
        .replace(/\r?\n$/, '')
        .replaceAll('\r\n', '\n'),
    );
    end = next;
  }
  const lines = value.map((glob) => chunks.get(glob) ?? `${indent}- ${toYaml(glob)}`);
  const last = text[end - 1] === '\n' ? '\n' : '';
  if (lines.length > 0) return { start, end, text: lines.join('\n') + last };
  if (!isNode(pair.key) || !pair.key.range) return undefined;
  const colon = text.indexOf(':', pair.key.range[1]) + 1;
  return { start: colon, end, text: ` []${text.slice(colon, start)}` };
}

function flowSequence(globs: string[]): string {
  return `[${globs.map((glob) => (/^[\w.][\w./*-]*$/.test(glob) ? toYaml(glob) : JSON.stringify(glob))).join(', ')}]`;
}

/** A text as the value of a key that stands behind the indent; ends without a line end. */
function renderText(value: string, indent: string): string {
  const rendered = toYaml({ key: value.endsWith('\n') ? blockText(value) : value }).slice('key: '.length);
  const [head = '', ...lines] = rendered.split('\n');
  return lines.length === 0 ? head : `${head}\n${indentLines(lines.join('\n'), indent)}`;
}

/** The spaces that put a new key under the job's first one. */
function indentOf(text: string, job: YAMLMap): string {
  const start = startOf(job.items[0]) ?? 0;
  return ' '.repeat(start - (text.lastIndexOf('\n', start - 1) + 1));
}

function pairOf(job: YAMLMap, key: string): Pair | undefined {
  return job.items.find((item) => isScalar(item.key) && item.key.value === key);
}

function startOf(pair: Pair | undefined): number | undefined {
  return isNode(pair?.key) ? (pair.key as Node).range?.[0] : undefined;
}

/** Offset of the line end at or behind an offset. */
function lineEndAt(text: string, offset: number): number {
  const end = text.indexOf('\n', offset);
  if (end < 0) return text.length;
  return text[end - 1] === '\r' && end - 1 >= offset ? end - 1 : end;
}

/** Offset of the line behind the one that an offset lies in. */
function lineAfter(text: string, offset: number): number {
  const end = text.indexOf('\n', offset);
  return end < 0 ? text.length : end + 1;
}

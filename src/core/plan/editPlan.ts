import { isMap, isScalar, isSeq, parseDocument, type Document, type YAMLMap } from 'yaml';
import { PlanSource } from './planSource.ts';
import { readField, type JobField } from './readField.ts';
import { spliceField } from './spliceField.ts';
import { blockText, yamlStyle } from './toYaml.ts';

/**
 * Sets one field of a job in a plan's text and leaves everything else, comments too, as it is. `paths` is
 * given as lines or with commas; an empty kind or account takes the key out. The new text is read back: if
 * anything but this field changed (it may be shared by an alias), the edit is refused.
 */
export function editJob(
  text: string,
  jobId: string,
  field: JobField,
  value: string,
): { text: string } | { problem: string } {
  const read = readField(field, value);
  if ('problem' in read) return read;
  const [syntax] = new PlanSource(text).problems;
  if (syntax) return { problem: `line ${syntax.line}: ${syntax.message}` };
  const found = findJob(text, jobId);
  if (!found) return { problem: `there is no job "${jobId}" in this plan` };

  const old = found.job.get(field);
  const asBlock = field === 'prompt' && (String(read.value).includes('\n') || String(old).endsWith('\n'));
  const wanted = asBlock ? `${String(read.value)}\n` : read.value;
  const before = found.document.toJS() as { jobs: Record<string, unknown>[] };
  const expected = canonical({
    ...before,
    jobs: before.jobs.map((job, index) => (index === found.index ? { ...job, [field]: wanted } : job)),
  });
  if (canonical(before) === expected) return { text };
  for (const edited of [spliceField(text, found.job, field, wanted), rewrite(text, jobId, field, wanted)]) {
    if (edited !== undefined && dataOf(edited) === expected) return { text: edited };
  }
  return { problem: `${field} of "${jobId}" cannot be changed alone here; edit the plan file` };
}

interface FoundJob {
  document: Document.Parsed;
  job: YAMLMap;
  index: number;
}

function findJob(text: string, jobId: string): FoundJob | undefined {
  const document = parseDocument(text, { logLevel: 'error', stringKeys: true });
  const jobs = document.get('jobs');
  if (!isSeq(jobs)) return undefined;
  const index = jobs.items.findIndex((item) => isMap(item) && item.get('id') === jobId);
  const job = jobs.items[index];
  return isMap(job) ? { document, job, index } : undefined;
}

/** The whole document written anew: keeps comments, not every space. For what cannot be spliced. */
function rewrite(
  text: string,
  jobId: string,
  field: JobField,
  value: string | string[] | undefined,
): string | undefined {
  const found = findJob(text, jobId);
  if (!found) return undefined;
  const { document, job } = found;
  if (value === undefined) {
    job.delete(field);
  } else if (Array.isArray(value)) {
    const old = job.get(field);
    const kept = isSeq(old) ? old.items : [];
    const nodes = value.map((glob) => kept.find((node) => isScalar(node) && node.value === glob) ?? glob);
    if (isSeq(old)) old.items = nodes.map((node) => document.createNode(node));
    else job.set(field, document.createNode(value, { flow: true }));
  } else {
    job.set(field, value.endsWith('\n') ? blockText(value) : document.createNode(value));
  }
  try {
    return document.toString(yamlStyle);
  } catch {
    // An alias elsewhere has lost the anchor that stood in this field.
    return undefined;
  }
}

function dataOf(text: string): string | undefined {
  const source = new PlanSource(text);
  return source.problems.length > 0 ? undefined : canonical(source.value);
}

/** Equal for equal data, whatever the order of keys. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    inner instanceof Object && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}

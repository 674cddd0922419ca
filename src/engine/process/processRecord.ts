import * as z from 'zod/mini';
import { processIdentitySchema } from '../../core/run/processIdentity.ts';
import { readJsonIfThere, writeJson } from '../store/atomicFile.ts';

const processRecordSchema = z.object({
  /** The child's process group. */
  group: z.number(),
  mark: z.string(),
  /** Living processes of the tree when this was written, the child among them. */
  noted: z.array(processIdentitySchema),
});

export type ProcessRecord = z.output<typeof processRecordSchema>;

/** Writes down what of a step runs, for the case that its supervisor is lost. A full disk is no reason to fail. */
export async function recordProcesses(file: string, record: ProcessRecord): Promise<void> {
  await writeJson(file, record, { durable: false }).catch(() => undefined);
}

/** What was written down last; null when nothing ever ran. */
export async function readProcesses(file: string): Promise<ProcessRecord | null> {
  return readJsonIfThere(file, processRecordSchema);
}

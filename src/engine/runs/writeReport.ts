import { copyFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { RunView } from '../../core/lanes/laneView.ts';
import { renderReport } from '../../core/run/renderReport.ts';
import { writeJson, writeText } from '../store/atomicFile.ts';

/** Writes the run's report folder anew: report for people and for programs, its plan, and a pointer to the run. */
export async function writeReport(view: RunView): Promise<void> {
  const folder = view.report;
  await mkdir(folder, { recursive: true });
  await writeText(join(folder, '.gitignore'), '*\n', { mode: 0o644 });
  await writeJson(join(folder, 'run.json'), { run: view.run, folder: view.folder });
  await copyFile(join(view.folder, 'plan.yaml'), join(folder, 'plan.yaml'));
  await writeText(join(folder, 'report.md'), `${renderReport(view)}\n`);
  await writeJson(join(folder, 'report.json'), { interface: 1, schema: 'report-v1', ...view });
}

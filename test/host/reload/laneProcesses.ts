import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** The newest process of a lane: its supervisor, and the process group of what runs. */
export interface LaneProcess {
  supervisor: number;
  group: number;
}

interface Status {
  state: string;
  supervisor: { pid: number };
  child_pid: number | null;
}

/** What runs now for a lane, below the folder of its run. */
export function laneProcess(run: string, lane: string): LaneProcess | undefined {
  const folder = path.join(run, 'lanes', lane);
  if (!existsSync(folder)) return undefined;
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  for (const file of files.filter((name) => path.basename(name) === 'status.json')) {
    const { state, supervisor, child_pid } = JSON.parse(
      readFileSync(path.join(folder, file), 'utf8'),
    ) as Status;
    if (state === 'running' && child_pid !== null) return { supervisor: supervisor.pid, group: child_pid };
  }
  return undefined;
}

import { readFileSync } from 'node:fs';

/** Lines of a recorded stream, like `codex/success`. */
export function readRecording(name: string): string[] {
  return readFileSync(new URL(`recorded/${name}.jsonl`, import.meta.url), 'utf8').split('\n');
}

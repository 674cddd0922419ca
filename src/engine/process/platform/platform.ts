import { darwin } from './darwin.ts';
import { linux } from './linux.ts';

/** One process as the system lists it. */
export interface ProcessEntry {
  pid: number;
  parent: number;
  group: number;
  /** When it started, in a form that only ever is compared for equality. */
  started: string;
  /** Ended, but not yet collected by its parent. */
  zombie: boolean;
}

/** What we ask of an operating system about processes. */
export interface Platform {
  /** Differs after every start of the machine. */
  boot(): string;
  /** One process; null when there is none with this id. */
  find(pid: number): ProcessEntry | null;
  list(): ProcessEntry[];
  /** A variable of the environment a process was started with; null when unset or not readable. */
  variable(pid: number, name: string): string | null;
}

/** The system we run on. Everything that is not macOS is treated as Linux. */
export const platform: Platform = process.platform === 'darwin' ? darwin : linux;

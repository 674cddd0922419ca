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

/** What a process takes of the machine. */
export interface ProcessUsage {
  /** CPU time in seconds; where the system tells, with that of children it has collected. */
  cpuS: number;
  /** Memory that is resident, shared pages included. */
  rssBytes: number;
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
  /** Its arguments, the program first; empty when not readable. */
  command(pid: number): string[];
  /** Its working folder; null when not readable. */
  folder(pid: number): string | null;
  /** What each of these processes takes; those that are gone are left out. */
  usage(pids: readonly number[]): Map<number, ProcessUsage>;
  /** TCP ports that each of these processes listens on, in order; those that listen on none are left out. */
  ports(pids: readonly number[]): Map<number, number[]>;
}

/** The system we run on. Everything that is not macOS is treated as Linux. */
export const platform: Platform = process.platform === 'darwin' ? darwin : linux;

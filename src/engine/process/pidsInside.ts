import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { AgentKitError, messageOf } from '../../core/agentKitError.ts';

/**
 * The processes that work in a folder: it is or holds their working folder, their root, their program or a file that
 * they have open for writing. Reading a file there harms nobody. Of other users' processes only those are seen that
 * the system shows us.
 * @param folder absolute, links resolved
 * @throws AgentKitError `not_accessible` when it cannot be told
 */
export function pidsInside(folder: string): Set<number> {
  return process.platform === 'darwin' ? askLsof(folder) : readProc(folder);
}

function readProc(folder: string): Set<number> {
  const pids = namesIn('/proc').filter((name) => /^\d+$/.test(name));
  return new Set(pids.filter((pid) => worksIn(join('/proc', pid), folder)).map(Number));
}

function worksIn(entry: string, folder: string): boolean {
  if (['cwd', 'root', 'exe'].some((link) => leadsInto(join(entry, link), folder))) return true;
  return namesIn(join(entry, 'fd')).some(
    (fd) => leadsInto(join(entry, 'fd', fd), folder) && isWritten(join(entry, 'fdinfo', fd)),
  );
}

/** What of a folder that was deleted is left has ` (deleted)` at its end. */
function leadsInto(link: string, folder: string): boolean {
  try {
    const target = readlinkSync(link);
    return target === folder || target.startsWith(`${folder}/`) || target === `${folder} (deleted)`;
  } catch {
    // It has ended meanwhile, or is somebody else's.
    return false;
  }
}

/** The flags are those of open(2), in octal. */
function isWritten(fdinfo: string): boolean {
  const [, flags] = /^flags:\s*([0-7]+)$/m.exec(readOrEmpty(fdinfo)) ?? [];
  return flags !== undefined && (parseInt(flags, 8) & 0o3) !== 0;
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function readOrEmpty(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

function askLsof(folder: string): Set<number> {
  // `-n -P` ask no name servers; `-w` leaves out warnings of file systems that cannot be looked into.
  const args = ['-w', '-n', '-P', '-d', 'cwd,rtd,txt,0-1023', '-F', 'pfan'];
  try {
    const output = execFileSync('/usr/sbin/lsof', args, {
      encoding: 'utf8',
      maxBuffer: 256 * 1024 * 1024,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return parseLsof(output, folder);
  } catch (error) {
    throw new AgentKitError(
      'not_accessible',
      `Which processes work in ${folder} cannot be told, because lsof failed: ${messageOf(error)}`,
      { cause: error },
    );
  }
}

/** Reads the output of `lsof -F pfan`: a field a line, named by its first letter; `a` is how a file is open. */
export function parseLsof(output: string, folder: string): Set<number> {
  const inside = new Set<number>();
  let pid = 0;
  let counts = false;
  for (const line of output.split('\n')) {
    const value = line.slice(1);
    if (line.startsWith('p')) pid = Number(value);
    else if (line.startsWith('f')) counts = !/^\d/.test(value);
    else if (line.startsWith('a')) counts ||= value === 'w' || value === 'u';
    else if (line.startsWith('n') && counts && (value === folder || value.startsWith(`${folder}/`)))
      inside.add(pid);
  }
  return inside;
}

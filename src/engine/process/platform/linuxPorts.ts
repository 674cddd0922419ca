import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

const tables = ['/proc/net/tcp', '/proc/net/tcp6'];

/** TCP ports that processes listen on, in our own network namespace: the kernel's table, joined with their open files. */
export function listeningPorts(pids: readonly number[]): Map<number, number[]> {
  const portOf = new Map(tables.flatMap((table) => parseListening(read(table))));
  const found = new Map<number, number[]>();
  for (const pid of portOf.size === 0 ? [] : pids) {
    const ports = socketsOf(pid).flatMap((inode) => portOf.get(inode) ?? []);
    if (ports.length > 0)
      found.set(
        pid,
        [...new Set(ports)].sort((one, other) => one - other),
      );
  }
  return found;
}

/** Reads /proc/net/tcp (proc(5)): of sockets that listen, the inode and the port. */
export function parseListening(table: string): [string, number][] {
  return table.split('\n').flatMap((line): [string, number][] => {
    const [, local, , state, , , , , , inode] = line.trim().split(/\s+/);
    const port = parseInt(local?.split(':').at(-1) ?? '', 16);
    return state === '0A' && inode !== undefined ? [[inode, port]] : [];
  });
}

function socketsOf(pid: number): string[] {
  const folder = `/proc/${pid}/fd`;
  try {
    return readdirSync(folder).flatMap((name) => socketAt(`${folder}/${name}`));
  } catch {
    // It has ended, or is somebody else's.
    return [];
  }
}

function socketAt(link: string): string[] {
  try {
    const [, inode] = /^socket:\[(\d+)\]$/.exec(readlinkSync(link)) ?? [];
    return inode === undefined ? [] : [inode];
  } catch {
    return [];
  }
}

/** Empty where there is none, as where IPv6 is off. */
function read(file: string): string {
  try {
    return readFileSync(file, 'latin1');
  } catch {
    return '';
  }
}

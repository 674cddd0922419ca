import { createServer } from 'node:net';

/** Where a development server listens: either kind of loopback, or everywhere. */
const addresses = ['127.0.0.1', '::1', '0.0.0.0', '::'];

/** No such address here, or none of its kind: then nobody can be listening there. */
const absent = new Set(['EADDRNOTAVAIL', 'EAFNOSUPPORT']);

/** Whether nobody listens at a port, found by listening there for a moment. */
export async function isPortFree(port: number): Promise<boolean> {
  for (const address of addresses) {
    if (!(await canListen(port, address))) return false;
  }
  return true;
}

function canListen(port: number, host: string): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => resolve(absent.has(error.code ?? '')));
    server.listen({ port, host, ipv6Only: host.includes(':') }, () => server.close(() => resolve(true)));
  });
}

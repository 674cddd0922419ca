import type { AgentSignal } from '../agentKind.ts';

/** How long OpenCode may wait for a vendor, of which it says nothing, before we end it. */
const patienceS = 300;

/**
 * Reads a line of OpenCode's log, of which we ask for errors only. A request that failed is tried again, and its stream
 * says nothing of that; the log has the vendor's words, but neither a status nor when it tries again.
 */
export function parseOpencodeErrorLine(line: string): AgentSignal[] {
  if (!/^timestamp=\S+ level=ERROR /.test(line)) {
    return [];
  }
  if (/ message=failed .*\berror="ProviderModelNotFoundError: /.test(line)) {
    return [{ type: 'refused', reason: 'model', message: readField(line, 'error') }];
  }
  // The other model gives sessions their titles.
  if (!/ message="stream error" .*\bsmall=false /.test(line)) {
    return [];
  }
  const told = readField(line, 'error.error');
  const [, message] = /^AI_(?:APICallError|RetryError): (.*)$/s.exec(told) ?? [];
  if (message === undefined) {
    return [];
  }
  const reason = /\b(Cannot connect to API|Unable to connect|ECONN\w+|ENOTFOUND)\b/.test(message)
    ? 'network'
    : 'throttled';
  return [{ type: 'refused', reason, message, hangs: { after_s: patienceS, silent: true } }];
}

/** The value of a field, which is JSON where it has spaces. */
function readField(line: string, name: string): string {
  const [, value = ''] = new RegExp(` ${name.replace('.', '\\.')}=("(?:[^"\\\\]|\\\\.)*")`).exec(line) ?? [];
  try {
    return String(JSON.parse(value));
  } catch {
    return '';
  }
}

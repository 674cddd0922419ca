/** Fields of a tool's input that tell best what it does, the best first. */
const telling = ['command', 'file_path', 'notebook_path', 'path', 'pattern', 'url', 'query', 'description'];
const longest = 300;

/** One line for a person about a tool that an agent uses. */
export function describeToolUse(part: {
  name?: string | undefined;
  input?: Record<string, unknown> | undefined;
}): string {
  const told = telling.map((name) => part.input?.[name]).find((value) => typeof value === 'string') ?? '';
  const line = `${part.name ?? 'tool'} ${told}`.trim().replace(/\s*\n\s*/g, ' ↵ ');
  return line.length > longest ? `${line.slice(0, longest)}…` : line;
}

import type { AgentStep } from './agentStep.ts';

/** Whose tools were offered to the model: each CLI has its own. */
export type Toolset = 'claude' | 'opencode' | 'pi';

interface ToolCall {
  name: string;
  input: object;
}

/** The calls of a CLI's tools that a step takes. */
export function callsOf(tools: Toolset, step: AgentStep): ToolCall[] {
  if (tools === 'claude') return claudeCalls(step);
  return [tools === 'opencode' ? opencodeCall(step) : piCall(step)];
}

/** Claude Code edits only what it has read. */
function claudeCalls(step: AgentStep): ToolCall[] {
  if ('write' in step) {
    return [{ name: 'Write', input: { file_path: step.write.path, content: step.write.content } }];
  }
  if ('shell' in step) {
    return [{ name: 'Bash', input: { command: step.shell, description: 'What the test asks for' } }];
  }
  const { path: file_path, find: old_string, with: new_string } = step.replace;
  return [
    { name: 'Read', input: { file_path } },
    { name: 'Edit', input: { file_path, old_string, new_string } },
  ];
}

function piCall(step: AgentStep): ToolCall {
  if ('write' in step) return { name: 'write', input: step.write };
  if ('shell' in step) return { name: 'bash', input: { command: step.shell } };
  const { path, find: oldText, with: newText } = step.replace;
  return { name: 'edit', input: { path, edits: [{ oldText, newText }] } };
}

function opencodeCall(step: AgentStep): ToolCall {
  if ('write' in step) {
    return { name: 'write', input: { filePath: step.write.path, content: step.write.content } };
  }
  if ('shell' in step) {
    return { name: 'bash', input: { command: step.shell, description: 'What the test asks for' } };
  }
  const { path: filePath, find: oldString, with: newString } = step.replace;
  return { name: 'edit', input: { filePath, oldString, newString } };
}

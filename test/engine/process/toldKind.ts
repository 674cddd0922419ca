// A supervisor whose one kind, `told`, reads signals as they stand: a JSON array of them a line, on either stream.
import { superviseStep } from '../../../src/engine/process/superviseStep.ts';
import type { AgentKind, AgentSignal } from '../../../src/engine/agents/agentKind.ts';

const read = (line: string) => JSON.parse(line) as AgentSignal[];
const told = { parseLine: read, parseErrorLine: read } as Partial<AgentKind> as AgentKind;

void superviseStep(process.argv[2] ?? '', process.env, new Map([['told', told]]));

import type { LogCommandId } from '../../ids.ts';
import type { Services } from '../platform/services.ts';
import type { CommandTable } from './commandTable.ts';

export function logCommands({ log }: Services): CommandTable<LogCommandId> {
  return { 'agentkit.log.show': () => log.show() };
}

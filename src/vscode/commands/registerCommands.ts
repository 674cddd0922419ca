import { commands, type ExtensionContext } from 'vscode';
import type { CommandId } from '../../ids.ts';
import { reportFailure } from '../platform/reportFailure.ts';
import type { Services } from '../platform/services.ts';
import type { CommandHandler, CommandTable } from './commandTable.ts';

/** Registers the commands of one noun; all of them under one error policy. */
export function registerCommands<Id extends CommandId>(
  context: ExtensionContext,
  services: Services,
  table: CommandTable<Id>,
): void {
  for (const [id, handle] of Object.entries<CommandHandler>(table)) {
    const guarded = async (...args: unknown[]): Promise<unknown> => {
      try {
        return await handle(...args);
      } catch (error) {
        reportFailure(services, error, id);
        return undefined;
      }
    };
    context.subscriptions.push(commands.registerCommand(id, guarded));
  }
}

import type { CommandId } from '../../ids.ts';

/** What a command does; its arguments come from menus, key bindings and other extensions, so they are unknown. */
export type CommandHandler = (...args: unknown[]) => unknown;

/** The handlers of some commands: leaving one out, or misspelling it, does not compile. */
export type CommandTable<Id extends CommandId> = Readonly<Record<Id, CommandHandler>>;

import { commands } from 'vscode';
import type { ContextKey } from '../../ids.ts';

/** Sets a contributed context key; nothing else calls `setContext`. */
export function setContextKey(key: ContextKey, value: string | boolean): void {
  void commands.executeCommand('setContext', key, value);
}

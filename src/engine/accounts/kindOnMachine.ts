import type { AgentKind } from '../agents/agentKind.ts';

/** A kind of agent as a person may choose it. */
export interface KindOnMachine {
  id: string;
  label: string;
  /** Whether its CLI is here, or it needs none. */
  installed: boolean;
  /** The command that installs the CLI; null where none is needed. */
  install: string | null;
  /** Whether it has a login of its own, done in a terminal. */
  logsIn: boolean;
  /** Whether it has a screen of its own, for a terminal. */
  hasScreen: boolean;
}

export function kindOnMachine(kind: AgentKind): KindOnMachine {
  return {
    id: kind.id,
    label: kind.label,
    // A vendor's CLI has an account of its own wherever it is installed.
    installed: kind.install === null || kind.hasDefaultProfile,
    install: kind.install,
    logsIn: kind.login !== null,
    hasScreen: kind.interactive !== null,
  };
}

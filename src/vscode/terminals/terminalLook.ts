/** Codicon and terminal colour by which a kind of agent is told apart. */
export interface TerminalLook {
  icon: string;
  color: string;
}

const looks: Readonly<Record<string, TerminalLook>> = {
  claude: { icon: 'sparkle', color: 'terminal.ansiYellow' },
  codex: { icon: 'hubot', color: 'terminal.ansiGreen' },
  pi: { icon: 'symbol-operator', color: 'terminal.ansiMagenta' },
  gemini: { icon: 'star', color: 'terminal.ansiBlue' },
  opencode: { icon: 'code', color: 'terminal.ansiRed' },
  demo: { icon: 'beaker', color: 'terminal.ansiCyan' },
};

export function terminalLook(kind: string): TerminalLook {
  return looks[kind] ?? { icon: 'robot', color: 'terminal.ansiWhite' };
}

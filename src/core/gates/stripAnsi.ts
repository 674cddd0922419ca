/** Terminal colours, cursor moves and links (CSI and OSC sequences). */
const sequences = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\))/g;

/** The text as a person reads it, with `\n` at its line ends. */
export function stripAnsi(text: string): string {
  return text.replace(sequences, '').replace(/\r\n/g, '\n');
}

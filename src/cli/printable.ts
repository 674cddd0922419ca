/** Control characters of both sets but tab and line feed, and those that turn the direction of text around. */
const control = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

/** Text of unknown origin for a terminal: it keeps its lines, and none of its escape sequences work. */
export function printable(text: string): string {
  return text.replaceAll('\r\n', '\n').replace(control, '�');
}

/** The same on one line: what is a name cannot pass for another row. */
export function printableName(text: string): string {
  return printable(text).replace(/[\n\t]/g, '�');
}

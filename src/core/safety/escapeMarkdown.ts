/** Signs that begin something in Markdown, and what makes an address of plain text in GitHub's kind of it. */
const signs = /[\\`*_[\]#|<>&~]|:(?=[^\s\d])|(?<=\w)@|(?<=www)\./gi;

/** Text of unknown origin as Markdown that shows it as it is: no link, no picture, no HTML, no new line or table cell. */
export function escapeMarkdown(text: string): string {
  return text.replace(/[\r\n]+/g, ' ').replace(signs, '\\$&');
}

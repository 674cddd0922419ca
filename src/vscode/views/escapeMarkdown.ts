/** Makes text of unknown origin harmless in a markdown tooltip: no link, no picture, no HTML, no new table cell. */
export function escapeMarkdown(text: string): string {
  return text
    .replace(/[\r\n]+/g, ' ')
    .replace(/[\\`*_{}[\]()#+.!|<>&~:@-]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

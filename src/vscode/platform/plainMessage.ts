/** Text of unknown origin as a message of the editor, which makes links, also to commands, of `[text](address)`. */
export function plainMessage(text: string): string {
  return text.replaceAll('](', '] (').replaceAll('`', "'");
}

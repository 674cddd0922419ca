/** Pieces of work, one a line; marks of lists and check boxes are no part of them. */
export function piecesOfText(text: string): string[] {
  return text
    .split(/\r\n|\r|\n/)
    .map((line) => line.replace(/^\s*(?:[-*+]\s+|\d+[.)]\s+)?(?:\[[ xX]\]\s+)?/, '').trim())
    .filter((piece) => piece !== '');
}

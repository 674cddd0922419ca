import { Scalar, stringify, type ToStringOptions } from 'yaml';

/** How we write YAML: nothing is folded, since folding loses some texts; longer texts are literal blocks. */
export const yamlStyle = {
  lineWidth: 0,
  blockQuote: 'literal',
  flowCollectionPadding: false,
  // Quoted texts of several lines do not always read back as they were.
  doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER,
} as const satisfies ToStringOptions;

/** A value as YAML without the line end after it. */
export function toYaml(value: unknown): string {
  return stringify(value, yamlStyle).replace(/\n$/, '');
}

/** A text that is written as a literal block where YAML can hold it so. */
export function blockText(text: string): Scalar<string> {
  const scalar = new Scalar(text);
  scalar.type = Scalar.BLOCK_LITERAL;
  return scalar;
}

/** Puts every line that is not empty behind the indent. */
export function indentLines(text: string, indent: string): string {
  // Not by a regular expression's lines, which end at U+2028 too.
  return text
    .split('\n')
    .map((line) => (line === '' ? '' : indent + line))
    .join('\n');
}

/** The fields of `-z` output, each ended by a zero byte, as raw bytes: a path need not be UTF-8. */
export function splitNul(output: Buffer): Buffer[] {
  const fields: Buffer[] = [];
  let start = 0;
  for (let end = output.indexOf(0, start); end !== -1; end = output.indexOf(0, start)) {
    fields.push(output.subarray(start, end));
    start = end + 1;
  }
  if (start < output.length) fields.push(output.subarray(start));
  return fields;
}

/** As `splitNul`, as text. */
export function splitNulText(output: Buffer): string[] {
  return splitNul(output).map((field) => field.toString('utf8'));
}

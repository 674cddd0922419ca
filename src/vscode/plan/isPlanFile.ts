/** Where plans live; the same as the board's selector in package.json. */
export const planGlob = '**/plans/*.{yaml,yml}';

/** @param path Of a URI, with `/`. */
export function isPlanFile(path: string): boolean {
  return /\/plans\/[^/]+\.ya?ml$/.test(path);
}

import { expandBraces } from './expandBraces.ts';
import { tokenizeGlob, type GlobToken } from './tokenizeGlob.ts';

/** One way through a glob's braces: a path in segments. */
export interface GlobPath {
  segments: GlobToken[][];
  /** It may name a folder, so everything below belongs to it too. */
  folder: boolean;
}

export type ParsedGlob = { paths: GlobPath[] } | { problem: string };

const maxLength = 1000;

/**
 * Reads one glob of a plan's `paths` (design chapter 3): literals, `*`, `**`, `?`, `[…]`, `{a,b}`, relative
 * to the repository's top. A glob whose last segment is literal, or that ends in `/`, names a file or a
 * folder, and then everything below it.
 */
export function parseGlob(glob: string): ParsedGlob {
  const refused = refusal(glob);
  if (refused !== undefined) return { problem: refused };
  const tokens = tokenizeGlob(glob);
  if ('problem' in tokens) return tokens;
  const expanded = expandBraces(tokens.tokens);
  if ('problem' in expanded) return expanded;
  const paths: GlobPath[] = [];
  for (const alternative of expanded.alternatives) {
    const path = toPath(alternative);
    if ('problem' in path) return path;
    paths.push(path);
  }
  return { paths };
}

/** What is wrong with the text as a whole. */
function refusal(glob: string): string | undefined {
  if (glob.trim() === '') return 'it is empty; write ** for everything';
  if (glob !== glob.trim()) return 'it starts or ends with a space';
  if (glob.length > maxLength) return `it is longer than ${maxLength} characters`;
  if (/[\p{Cc}\p{Cs}]/u.test(glob)) return 'it holds a control character';
  if (glob.includes('\\'))
    return 'it holds a "\\"; separate folders with "/" and write [*] for a literal star';
  if (/^(\/|~\/|[A-Za-z]:\/)/.test(glob)) return 'it is absolute; paths count from the top of the repository';
  if (glob.startsWith('!')) return 'negation with "!" is not possible; list what may be written';
  if (/[@!+?*]\(/.test(glob)) return 'extended patterns like "@(a|b)" are not possible; write {a,b}';
  return undefined;
}

function toPath(tokens: GlobToken[]): GlobPath | { problem: string } {
  const segments: GlobToken[][] = [[]];
  for (const token of tokens) {
    if (token.type === 'slash') segments.push([]);
    else segments.at(-1)?.push(token);
  }
  const trailingSlash = segments.length > 1 && segments.at(-1)?.length === 0;
  if (trailingSlash) segments.pop();
  for (const segment of segments) {
    if (segment.length === 0) return { problem: 'it has an empty folder name' };
    if (segment.length > 1 && segment.some(({ type }) => type === 'globstar')) {
      return { problem: '"**" must stand alone between slashes' };
    }
    const literal = literalOf(segment);
    if (literal === '..') return { problem: '".." would leave its folder' };
    if (literal === '.')
      return { problem: '"." is not needed; write src/** instead of ./src/**, ** for everything' };
    if (literal?.toLowerCase() === '.git') return { problem: 'git keeps no file in ".git"' };
  }
  return { segments, folder: trailingSlash || literalOf(segments.at(-1) ?? []) !== undefined };
}

/** The text of a segment without wildcards. */
function literalOf(segment: GlobToken[]): string | undefined {
  let text = '';
  for (const token of segment) {
    if (token.type !== 'literal') return undefined;
    text += token.text;
  }
  return text;
}

import fc from 'fast-check';

const names = fc.constantFrom('a', 'b', '.a', 'ab', 'ba', 'a.b', 'src');

/** Short paths over a small alphabet, so that globs meet them often. */
export const paths = fc.array(names, { minLength: 1, maxLength: 4 }).map((segments) => segments.join('/'));

const segments = fc.oneof(
  names,
  fc.constantFrom('*', '**', '?', '*.b', 'a*', '*a*', '??', '[ab]', '[!a]', '[ab]*', 'a?', '.*', 's*c'),
);

/** Valid globs over the same alphabet. */
export const globs = fc.array(segments, { minLength: 1, maxLength: 4 }).map((list) => list.join('/'));

/** The same with braces, nested ones and such that hold slashes, and with folders. */
export const richGlobs = fc.oneof(
  globs,
  globs.map((glob) => `${glob}/`),
  fc.tuple(globs, globs, globs).map(([a, b, c]) => `{${a},${b}}/${c}`),
  fc.tuple(globs, globs, globs).map(([a, b, c]) => `${a}/{${b},{${c},x}}`),
);

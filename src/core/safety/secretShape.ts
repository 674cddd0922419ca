/** How a kind of secret looks. All patterns are global and match in time linear in the text. */
export interface SecretShape {
  name: string;
  pattern: RegExp;
  /** What takes its place. */
  replacement: string;
}

export const redacted = '[redacted]';

/**
 * A short prefix counts only where a word starts: at a border, behind an escaped line end as in JSON, or
 * behind a terminal colour.
 */
const border = /(?:(?<![A-Za-z0-9_-])|(?<=\\[nrt])|(?<=\u001b\[[0-9;]{0,20}m))/.source;

export const knownShapes: SecretShape[] = [
  shape('private key', [
    '-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----',
    // To its end line; or, cut off, as far as it looks like one.
    '(?:(?:[A-Za-z0-9+/=:,.\\s\\\\]|-(?!----)){16,20000}-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----',
    '|(?:(?:\\\\[nr]|\\s){0,4}[A-Za-z0-9+/=]{16,200}){1,500})',
  ]),
  shape('GitHub token', ['gh[pousr]_[A-Za-z0-9]{20,}', '|github_pat_[A-Za-z0-9_]{22,}']),
  shape('npm token', ['npm_[A-Za-z0-9]{30,}']),
  shape('Slack token', ['xox[abeoprs]-[A-Za-z0-9-]{10,}']),
  shape('AWS access key', ['(?:AKIA|ASIA)[A-Z0-9]{16}(?![A-Za-z0-9])']),
  shape('Google API key', ['AIza[A-Za-z0-9_-]{35}']),
  shape('Stripe key', ['[sr]k_(?:live|test)_[A-Za-z0-9]{16,}']),
  shape('JSON web token', [border, 'eyJ[A-Za-z0-9_-]{8,}\\.eyJ[A-Za-z0-9_-]{8,}\\.[A-Za-z0-9_-]*']),
  shape('API key (sk-…)', [border, 'sk-(?=[A-Za-z0-9_-]{0,100}?[A-Za-z0-9]{16})[A-Za-z0-9_-]{16,}']),
  {
    name: 'bearer token',
    // With a digit somewhere: "bearer authentication" is no token.
    pattern: new RegExp(
      `${border}(Bearer\\s{1,8})(?=[A-Za-z._~+/=-]{0,200}[0-9])[A-Za-z0-9._~+/=-]{16,}`,
      'gi',
    ),
    replacement: `$1${redacted}`,
  },
];

function shape(name: string, parts: string[]): SecretShape {
  return { name, pattern: new RegExp(parts.join(''), 'g'), replacement: redacted };
}

export interface BoardHtmlOptions {
  scriptUri: string;
  styleUri: string;
  /** `codicon.css`, beside which its font lies. */
  codiconUri: string;
  /** `webview.cspSource`: where our own files come from. */
  cspSource: string;
  /** New for each page. */
  nonce: string;
  title: string;
}

/**
 * The board's page. Nothing inline, nothing remote: one script by nonce, styles and font of our own. The
 * toolkit reads its nonce from `csp-nonce`, for an empty style element with which it probes the browser.
 */
export function boardHtml(options: BoardHtmlOptions): string {
  const { scriptUri, styleUri, codiconUri, cspSource, nonce, title } = options;
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src ${cspSource} 'nonce-${nonce}'`,
    `font-src ${cspSource}`,
  ].join('; ');
  return `<!DOCTYPE html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta http-equiv="Content-Security-Policy" content="${escapeHtml(policy)}" />
    <meta property="csp-nonce" content="${escapeHtml(nonce)}" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <link rel="stylesheet" href="${escapeHtml(codiconUri)}" />
    <link rel="stylesheet" href="${escapeHtml(styleUri)}" />
    <title>${escapeHtml(title)}</title>
  </head>
  <body>
    <div id="board"></div>
    <script type="module" nonce="${escapeHtml(nonce)}" src="${escapeHtml(scriptUri)}"></script>
  </body>
</html>
`;
}

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character);
}

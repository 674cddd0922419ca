import { createServer } from 'node:http';
import { readFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { boardHtml } from '../../src/vscode/board/boardHtml.ts';
import type { BoardTheme } from './boardThemes.ts';

const types: Record<string, string> = { js: 'text/javascript', css: 'text/css', ttf: 'font/ttf' };

export interface BoardServer {
  url(theme: BoardTheme): string;
  close(): Promise<void>;
}

/** Serves the built page on loopback as the editor does: its HTML, its CSP, the theme's class and variables. */
export async function serveBoard(dist: string, themes: readonly BoardTheme[]): Promise<BoardServer> {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', origin());
    const [name = '', extension = ''] = pathname.slice(1).split('.');
    const theme = themes.find((each) => each.name === name);
    const body =
      theme === undefined
        ? readFile(join(dist, `${name}.${extension}`))
        : Promise.resolve(extension === 'css' ? themeCss(theme) : page(theme));
    body.then(
      (content) => {
        response.setHeader('Content-Type', types[extension] ?? 'text/html');
        response.end(content);
      },
      () => {
        response.statusCode = 404;
        response.end();
      },
    );
  });
  const origin = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const page = (theme: BoardTheme) =>
    boardHtml({
      scriptUri: `${origin()}/board.js`,
      styleUri: `${origin()}/board.css`,
      codiconUri: `${origin()}/codicon.css`,
      cspSource: origin(),
      nonce: 'cafebabe',
      title: 'Board',
    })
      .replace('</head>', `<link rel="stylesheet" href="${origin()}/${theme.name}.css" /></head>`)
      .replace('<body>', `<body class="${theme.kind}" data-vscode-theme-kind="${theme.kind}">`);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: (theme) => `${origin()}/${theme.name}`,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

function themeCss({ variables }: BoardTheme): string {
  const lines = Object.entries(variables).map(([name, value]) => `--vscode-${name}: ${value};`);
  return `:root { ${lines.join(' ')} }`;
}

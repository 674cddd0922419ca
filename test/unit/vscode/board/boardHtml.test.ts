import assert from 'node:assert/strict';
import { JSDOM } from 'jsdom';
import { boardHtml } from '../../../../src/vscode/board/boardHtml.ts';

describe('boardHtml', () => {
  const options = {
    scriptUri: 'https://cdn.example/dist/board.js?a=1&b=2',
    styleUri: 'https://cdn.example/dist/board.css',
    codiconUri: 'https://cdn.example/dist/codicon.css',
    cspSource: "'self' https://cdn.example",
    nonce: 'abc123',
    title: 'demo.yaml',
  };
  const read = (html: string) => new JSDOM(html).window.document;

  it('allows one script by nonce, our own styles and fonts, and nothing else', () => {
    const document = read(boardHtml(options));
    const policy = document.querySelector('meta[http-equiv]')?.getAttribute('content');
    assert.deepEqual(policy?.split('; '), [
      "default-src 'none'",
      "script-src 'nonce-abc123'",
      "style-src 'self' https://cdn.example 'nonce-abc123'",
      "font-src 'self' https://cdn.example",
    ]);
    assert.equal(document.querySelectorAll('script').length, 1);
    assert.equal(document.querySelector('script')?.getAttribute('src'), options.scriptUri);
    assert.equal(document.querySelector('style, [style]'), null);
  });

  it('does not let a file name out of the title', () => {
    const title = '</title><script>alert(1)</script>"&';
    const document = read(boardHtml({ ...options, title }));
    assert.equal(document.title, title);
    assert.equal(document.querySelectorAll('script').length, 1);
  });
});

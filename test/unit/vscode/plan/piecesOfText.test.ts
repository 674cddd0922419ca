import assert from 'node:assert/strict';
import { piecesOfText } from '../../../../src/vscode/plan/piecesOfText.ts';

describe('piecesOfText', () => {
  it('takes one piece a line, without the marks of a list', () => {
    const text = '- add a login\r\n\n* [ ] write docs\n  2. fix the build\n3) tidy up\nplain - with a dash';
    const pieces = ['add a login', 'write docs', 'fix the build', 'tidy up', 'plain - with a dash'];
    assert.deepEqual(piecesOfText(text), pieces);
  });

  it('leaves out blank lines and empty items', () => {
    assert.deepEqual(piecesOfText(' \n- \n'), []);
  });
});

import assert from 'node:assert/strict';
import { printable, printableName } from '../../../src/cli/printable.ts';
import { table } from '../../../src/cli/table.ts';

describe('printable', () => {
  it('lets no escape sequence through, of either set, nor a turned direction', () => {
    const hostile = 'a\u001b]0;owned\u0007\u001b[2Jb\u009b31mc\rd\u202ee';
    assert.doesNotMatch(printable(hostile), /[\u0000-\u001f\u007f-\u009f\u202e]/);
    assert.match(printable(hostile), /^a.*b.*c.*d.*e$/);
  });

  it('leaves text, its lines and tabs alone', () => {
    assert.equal(printable('ü ✓\n\tx\r\ny'), 'ü ✓\n\tx\ny');
  });

  it('keeps a name on its line, so that it cannot pass for another row', () => {
    assert.equal(printableName('a\nb\tc'), 'a�b�c');
    assert.equal(table([['one\ntwo', 'x']]).split('\n').length, 1);
    assert.equal(table([['one', 'x']]), 'one  x');
  });
});

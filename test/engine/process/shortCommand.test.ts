import assert from 'node:assert/strict';
import { shortCommand } from '../../../src/engine/process/shortCommand.ts';

describe('shortCommand', () => {
  it('tells a command whole, on one line and without control characters', () => {
    assert.equal(shortCommand(['node', '-e', '\n  listen();\u001b[2J\r\n']), 'node -e listen(); [2J');
    assert.equal(shortCommand([]), '');
    assert.equal(shortCommand(['x'.repeat(200)]), 'x'.repeat(200));
  });

  it('cuts a long one in its middle, so that a long path does not hide what runs', () => {
    const told = shortCommand([`/${'deep/'.repeat(60)}bin/node`, 'scripts/serve.mjs', '--port', '3000']);
    assert.equal([...told].length, 200);
    assert.match(told, /^\/deep\/deep\/.*….*bin\/node scripts\/serve\.mjs --port 3000$/);
  });

  it('tells no secret that another program was given', () => {
    const token = ['gh', 'p_', 'a1B2c3D4e5'.repeat(4)].join('');
    assert.equal(
      shortCommand(['curl', '-u', `me:${token}`, 'http://host']),
      'curl -u me:[redacted] http://host',
    );
    assert.equal(shortCommand(['curl', '-u', 'me', 'http://host']), 'curl -u me http://host');
  });

  it('cuts no character in two', () => {
    const told = shortCommand(['🙂'.repeat(300)]);
    assert.equal(told, `${'🙂'.repeat(119)}…${'🙂'.repeat(80)}`);
  });
});

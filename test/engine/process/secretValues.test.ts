import assert from 'node:assert/strict';
import { redact } from '../../../src/core/safety/redact.ts';
import { secretValues } from '../../../src/engine/process/secretValues.ts';

describe('secretValues', () => {
  const value = 'value-of-4711';

  for (const name of [
    'MY_TOKEN',
    'DB_PASS',
    'DB_PWD',
    'PASS',
    'MY_SECRET2',
    'API_KEY_1',
    'apikey',
    'GPG_PASSPHRASE',
    'X_AUTH',
  ]) {
    it(`takes ${name} for a secret`, () => assert.deepEqual(secretValues({ [name]: value }), [value]));
  }

  for (const name of ['EDITOR', 'COMPASS_URL', 'BYPASS', 'MONKEYS', 'PATTERN', 'PWD', 'OLDPWD', 'AUTHOR']) {
    it(`takes ${name} for none`, () => assert.deepEqual(secretValues({ [name]: value }), []));
  }

  it('passes over what is too short, and the path of a file', () => {
    assert.deepEqual(secretValues({ MY_TOKEN: 'short', KEY_FILE: process.execPath, SSH_KEY: undefined }), []);
  });

  it('gives a value of several lines line by line too, for what prints it is read so', () => {
    const secrets = secretValues({ DEPLOY_KEY: 'first line of it\r\n  second line of it\n}\n' });
    const printed = ['> first line of it', '  second line of it', '}', 'a first line'];
    assert.deepEqual(
      printed.map((line) => redact(line, secrets)),
      ['> [redacted]', '  [redacted]', '}', 'a first line'],
    );
  });

  it('takes the password out of an address, whatever its variable is called', () => {
    const secrets = secretValues({
      DATABASE_URL: 'postgres://me:s%40cret-word@db.test/x',
      SMALL: 'redis://u:pw@db.test',
    });
    const hide = (text: string) => redact(text, secrets);
    assert.equal(hide('to postgres://me:s%40cret-word@db.test/x'), 'to postgres:[redacted]db.test/x');
    assert.equal(hide('password s@cret-word is wrong'), 'password [redacted] is wrong');
    assert.equal(hide('redis://u:pw@db.test'), 'redis:[redacted]db.test');
  });

  it('leaves an address without a password alone', () => {
    const environment = {
      A: 'https://me@host.test/a:b@c',
      B: 'https://host.test:8080/x',
      C: 'http://h/?q=a:b@c',
    };
    assert.deepEqual(secretValues(environment), []);
  });
});

import assert from 'node:assert/strict';
import fc from 'fast-check';
import { redact, secretShapes } from '../../../../src/core/safety/redact.ts';

const body = 'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8s9T0';
const base64 = 'MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIB/+=';

/** Put together here, so that no file of ours has the shape of a secret. */
const samples: Record<string, string> = {
  'GitHub token': ['gh', 'p_', body].join(''),
  'npm token': ['np', 'm_', body].join(''),
  'Slack token': ['xo', 'xb-', '123456789012-', body].join(''),
  'AWS access key': ['AK', 'IA', 'ABCDEFGH12345678'].join(''),
  'Google API key': ['AI', 'za', body.slice(0, 35)].join(''),
  'Stripe key': ['sk', '_live_', body].join(''),
  'JSON web token': ['ey', 'JhbGciOiJIUzI1NiJ9', '.ey', 'JzdWIiOiIxMjM0NTYifQ', '.', body].join(''),
  'API key (sk-…)': ['s', 'k-ant-api03-', body, '-', body].join(''),
  'bearer token': ['Bea', 'rer ', body].join(''),
  'private key': [
    '-----BEGIN RSA PRIV',
    `ATE KEY-----\n${base64}\n${base64}\n-----END RSA PRIV`,
    'ATE KEY-----',
  ].join(''),
};
const fineGrained = ['github', '_pat_', body].join('');

describe('redact', () => {
  for (const [name, secret] of Object.entries(samples)) {
    const left = name === 'bearer token' ? 'Bearer [redacted]' : '[redacted]';

    it(`takes out a ${name} and says so`, () => {
      assert.equal(redact(`before "${secret}" after`), `before "${left}" after`);
      assert.deepEqual(secretShapes(`x=${secret}\n`), [name]);
    });

    it(`sees a ${name} at the ends of a line, in JSON and behind a colour`, () => {
      assert.equal(redact(secret), left);
      const [first = ''] = secret.split('\n');
      for (const text of [`{"out":"token:\\n${secret}"}`, `\u001b[31m${secret}\u001b[0m`, `KEY=${secret}`]) {
        assert.ok(!redact(text).includes(first.slice(-12)), redact(text));
      }
    });
  }

  it('takes out fine-grained tokens and a private key that is cut off or escaped', () => {
    assert.equal(redact(`git clone https://x:${fineGrained}@host`), 'git clone https://x:[redacted]@host');
    const key = samples['private key'] ?? '';
    assert.equal(redact(key.slice(0, 100)), '[redacted]');
    assert.equal(redact(JSON.stringify({ key, next: 'kept' })), '{"key":"[redacted]","next":"kept"}');
  });

  it('leaves ordinary text alone', () => {
    for (const text of [
      'a bearer authentication scheme, Bearer <token>, Bearer ${TOKEN}',
      'class="sk-loading-spinner-wrapper" task-runner-2 risk-assessment-of-everything',
      'npm_config_registry npm_lifecycle_event AKIA xoxo github_pat_',
      'commit 3f786850e387550fdab836ed7e6dc881de23001b',
      "if (text.startsWith('-----BEGIN PRIV" + "ATE KEY-----')) return text.length;",
      'eyJ is how a token starts',
      '[redacted] Bearer [redacted]',
    ]) {
      assert.equal(redact(text), text);
      assert.deepEqual(secretShapes(text), []);
    }
  });

  it('takes out given secrets, the longest first, but no short ones', () => {
    assert.equal(
      redact('hunter2-long hunter2 abc', ['hunter2', 'hunter2-long', 'abc', '']),
      '[redacted] [redacted] abc',
    );
    assert.equal(redact('a$&b secret$&x', ['secret$&x']), 'a$&b [redacted]');
  });

  const text = fc
    .array(
      fc.oneof(
        fc.constantFrom(
          ...Object.values(samples),
          fineGrained,
          '[redacted]',
          '[red',
          'acted]',
          'secret-one',
          '-----',
        ),
        fc.string({ maxLength: 6 }),
        fc.constantFrom('sk-', 'eyJ', 'Bearer ', '\n', '\\n', '-', '.', 'a1'),
      ),
    )
    .map((parts) => parts.join(''));
  const secrets = fc.array(
    fc.oneof(fc.constantFrom('secret-one', 'redacted', 'acted] '), fc.string({ maxLength: 9 })),
  );

  it('changes nothing the second time', () => {
    fc.assert(
      fc.property(text, secrets, (value, given) => {
        const once = redact(value, given);
        assert.equal(redact(once, given), once);
      }),
      { numRuns: 500 },
    );
  });

  it('leaves no shape behind', () => {
    fc.assert(
      fc.property(text, (value) => {
        assert.deepEqual(secretShapes(redact(value)), []);
      }),
      { numRuns: 500 },
    );
  });

  it('leaves no given secret outside its marks', () => {
    fc.assert(
      fc.property(text, fc.string({ minLength: 6, maxLength: 12 }), (value, secret) => {
        const left = redact(`${value}${secret}${value}`, [secret]).split('[redacted]');
        assert.ok(left.every((part) => !part.includes(secret)));
      }),
      { numRuns: 300 },
    );
  });

  it('takes time in proportion to the text, whatever it repeats', () => {
    const start = performance.now();
    for (const part of [
      'sk-',
      'eyJ',
      'eyJa.',
      'Bearer a',
      '-----BEGIN PRIV' + 'ATE KEY-----',
      'ghp_',
      'a',
      '\\n',
      'xoxb-1',
    ]) {
      redact(part.repeat(Math.ceil(300_000 / part.length)));
    }
    assert.ok(performance.now() - start < 5000, `${performance.now() - start} ms`);
  }).timeout(20_000);
});

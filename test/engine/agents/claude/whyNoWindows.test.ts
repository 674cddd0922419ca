import assert from 'node:assert/strict';
import { whyNoWindows } from '../../../../src/engine/agents/claude/whyNoWindows.ts';
import { readLoginStatus } from '../../../../src/engine/agents/claude/readLoginStatus.ts';
import { recorded } from './recorded.ts';

describe('why Claude Code tells no windows', () => {
  const nowMs = Date.parse('2026-11-30T12:00:00Z');
  const statusOf = (text: string) => readLoginStatus({ lines: [text] });
  const plan = (more: object) =>
    statusOf(JSON.stringify({ ...(JSON.parse(recorded('status-plan.json')) as object), ...more }));
  const why = (status: ReturnType<typeof statusOf>, online = true) =>
    whyNoWindows({ status, online, nowMs, login: 'claude auth login' });

  for (const [what, answer, status, reason] of [
    ['no network', why(plan({}), false), 'unknown', /no network/],
    [
      'no login',
      why(statusOf(recorded('status-none.json'))),
      'not_logged_in',
      /log in with: claude auth login/,
    ],
    [
      'a login that is over',
      why(plan({ loginExpiresAt: '2026-11-30T11:00:00Z' })),
      'not_logged_in',
      /expired; log in with: claude auth login/,
    ],
    ['a vendor that did not answer', why(plan({})), 'unknown', /asked too often \(429\)/],
    [
      'the same under a login that ends later',
      why(plan({ loginExpiresAt: '2026-12-30T11:00:00Z' })),
      'unknown',
      /asked too often/,
    ],
    ['no word of its login', why(undefined), 'unknown', /asked too often/],
  ] as const)
    it(`tells ${what}`, () => {
      assert.equal(answer.status, status);
      assert.match(answer.reason ?? '', reason);
    });
});

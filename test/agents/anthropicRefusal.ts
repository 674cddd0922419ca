import type { HttpAnswer } from './httpAnswer.ts';

/** How the vendor refuses; `reset` is in seconds since 1970. */
export function anthropicRefusal(scenario: string, reset: number): HttpAnswer | undefined {
  const refuse = (status: number, type: string, message: string, headers = {}): HttpAnswer => ({
    status,
    headers: { 'x-should-retry': 'false', ...headers },
    json: { type: 'error', error: { type, message }, request_id: 'req_test' },
  });
  switch (scenario) {
    case 'usage_limit':
      return refuse(429, 'rate_limit_error', 'The limit of the test is reached', limitHeaders(reset));
    case 'rate_limited':
      return refuse(429, 'rate_limit_error', 'Too many requests for the test', { 'retry-after': '1' });
    case 'not_logged_in':
      return refuse(401, 'authentication_error', 'OAuth token has expired in the test');
    case 'wrong_model':
      return refuse(404, 'not_found_error', 'model: there is none of that name in the test');
    default:
      return undefined;
  }
}

function limitHeaders(reset: number): Record<string, string> {
  const unified = {
    status: 'rejected',
    'representative-claim': 'five_hour',
    reset: `${reset}`,
    '5h-status': 'rejected',
    '5h-reset': `${reset}`,
    '5h-utilization': '1',
    '7d-status': 'allowed',
    '7d-reset': `${reset + 300_000}`,
    '7d-utilization': '0.17',
    'overage-status': 'rejected',
    'overage-disabled-reason': 'org_level_disabled',
  };
  const headers: Record<string, string> = { 'retry-after': '7200' };
  for (const [name, value] of Object.entries(unified)) headers[`anthropic-ratelimit-unified-${name}`] = value;
  return headers;
}

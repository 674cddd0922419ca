import type { RefusalReason } from '../../../core/accounts/refusal.ts';

/** How the CLI marks a call that failed. */
export interface ClaudeFailure {
  error?: string | undefined;
  api_error?: string | undefined;
  api_error_status?: number | undefined;
}

/** The CLI's own codes that say enough by themselves. */
const byCode: Partial<Record<string, RefusalReason>> = {
  authentication_failed: 'not_logged_in',
  verification_required: 'not_logged_in',
  cloud_credential_error: 'not_logged_in',
  // A payment that is past due, or an organization that switched the plan off: to log in again changes nothing.
  oauth_org_not_allowed: 'billing',
  account_on_hold: 'billing',
  billing_error: 'billing',
  model_not_found: 'model',
  connection_failed: 'network',
};

const byStatus: Partial<Record<number, RefusalReason>> = {
  401: 'not_logged_in',
  402: 'billing',
  404: 'model',
  429: 'throttled',
  529: 'throttled',
};

/** Less certain than a status: older versions give no more. */
const byLooseCode: Partial<Record<string, RefusalReason>> = {
  rate_limit: 'throttled',
  overloaded: 'throttled',
  server_error: 'network',
};

/** An account without credit has no code of its own; these are the CLI's words on a record that it marks as failed. */
const noCredit = 'Credit balance is too low';

/** Why a call failed, from the CLI's marks; undefined when they do not say, or when it is the account's limit. */
export function claudeRefusal(failure: ClaudeFailure, message: string): RefusalReason | undefined {
  const { error = '', api_error: apiError = '', api_error_status: status } = failure;
  if (apiError === 'usage_limit_reached') {
    return undefined;
  }
  return (
    byCode[error] ??
    byCode[apiError] ??
    (status !== undefined ? (byStatus[status] ?? (status >= 500 ? 'network' : undefined)) : undefined) ??
    byLooseCode[error] ??
    (message === noCredit ? 'billing' : undefined)
  );
}

import { AgentKitError } from '../agentKitError.ts';

/**
 * `auto` works without asking, `ask` lets the vendor ask (and so refuse, where nobody can answer), `read-only`
 * is the vendor's own read-only mode.
 */
export type Posture = 'auto' | 'ask' | 'read-only';

/** What a person may say of it, in the environment, a settings file, the editor's settings, a plan or a brief. */
export type Permissions = 'auto' | 'ask';

export interface PostureRequest {
  flags?: { ask?: boolean | undefined; auto?: boolean | undefined; readOnly?: boolean | undefined };
  /** What was said at any other place; nothing where nothing was. */
  said: readonly (Permissions | undefined)[];
}

/**
 * Autonomy by default. `ask` said anywhere wins, also over `--auto`.
 * @throws AgentKitError `usage` for flags that contradict each other
 */
export function choosePosture({ flags = {}, said }: PostureRequest): Posture {
  if (flags.auto === true && flags.ask === true) {
    throw new AgentKitError('usage', '--ask and --auto contradict each other; leave one of them out');
  }
  if (flags.auto === true && flags.readOnly === true) {
    throw new AgentKitError('usage', '--read-only implies --ask, so it contradicts --auto; leave one out');
  }
  if (flags.readOnly === true) return 'read-only';
  return flags.ask === true || said.includes('ask') ? 'ask' : 'auto';
}

/** What the process under a posture inherits, so that whatever it starts keeps to it. */
export function postureEnvironment(posture: Posture): Record<string, string> {
  return posture === 'auto' ? {} : { AGENTKIT_PERMISSIONS: 'ask' };
}

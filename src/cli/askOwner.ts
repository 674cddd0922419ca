import { AgentKitError } from '../core/agentKitError.ts';
import type { Answer, RequestBody } from '../core/run/request.ts';
import type { AgentKit } from '../engine/agentKit.ts';
import type { Session } from './session.ts';

/**
 * Puts a request to a run's owner; says whom it waits for when that takes long. Ctrl+C withdraws the request.
 * @throws AgentKitError `cancelled`
 */
export function askOwner(session: Session, kit: AgentKit, run: string, body: RequestBody): Promise<Answer> {
  return kit.request(run, body, {
    signal: session.interrupts.signal,
    onWait: ({ pid, head }) => {
      const owner = head === 'editor' ? 'a window of VS Code' : 'ak';
      session.say(
        `Waits for the owner of run ${run}: ${owner}, process ${pid}. Ctrl+C withdraws the request.`,
      );
    },
  });
}

/** As `askOwner`. @throws AgentKitError `refused` with the owner's reason, `cancelled` */
export async function askOwnerFirmly(
  session: Session,
  kit: AgentKit,
  run: string,
  body: RequestBody,
): Promise<Answer> {
  const answer = await askOwner(session, kit, run, body);
  if (!answer.ok) throw new AgentKitError('refused', answer.message);
  return answer;
}

import { ProgressLocation, window } from 'vscode';
import type { Answer, RequestBody } from '../../core/run/request.ts';
import { plainMessage } from '../platform/plainMessage.ts';
import type { Services } from '../platform/services.ts';

/** Asks the owner of a run for something and tells what came of it; a refusal is a warning with its reason. */
export async function askOwner(
  services: Services,
  run: string,
  request: RequestBody,
  title: string,
): Promise<Answer> {
  services.requireTrust();
  const kit = await services.kit();
  const answer = await window.withProgress(
    { location: ProgressLocation.Notification, title: plainMessage(title) },
    () => kit.request(run, request),
  );
  services.log.info(`${request.do} in ${run}: ${answer.ok ? 'done' : 'refused'}: ${answer.message}`);
  if (answer.ok) services.notify.info(answer.message);
  else services.notify.warn(answer.message);
  await services.lanes.refresh();
  return answer;
}

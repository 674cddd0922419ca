import type { Action } from './action.ts';
import type { Request } from './request.ts';
import type { RunEventBody } from './runEvent.ts';

export function accept(request: Request, message: string): Action {
  return answer(request, true, message);
}

export function refuse(request: Request, message: string): Action {
  return answer(request, false, message);
}

/** The answer to a request together with what is done about it. */
export function answer(request: Request, ok: boolean, message: string, ...done: RunEventBody[]): Action {
  const key = request.do === 'stopRun' ? 'run' : request.lane;
  return { do: 'append', key, events: [...done, answered(request, ok, message)] };
}

export function answered(request: Request, ok: boolean, message: string): RunEventBody {
  return { type: 'request.answered', request: request.id, ok, message, ...(!ok && { reason: 'refused' }) };
}

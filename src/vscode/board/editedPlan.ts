import { AgentKitError } from '../../core/agentKitError.ts';
import { editJob } from '../../core/plan/editPlan.ts';
import type { ToHost } from '../../protocol/boardMessages.ts';

type Edit = Extract<ToHost, { type: 'edit' }>;

/**
 * A plan's text after an edit of the board. A job asks for a kind or for an account, so choosing one takes the other out.
 * @throws AgentKitError `invalid_input` with the reason when the text cannot be changed so
 */
export function editedPlan(text: string, { job, field, value }: Edit): string {
  const other = { kind: 'account', account: 'kind', prompt: undefined, paths: undefined } as const;
  const cleared = other[field];
  const edits = [...(cleared === undefined ? [] : [{ field: cleared, value: '' }]), { field, value }];
  return edits.reduce((before, edit) => {
    const edited = editJob(before, job, edit.field, edit.value);
    if ('problem' in edited) throw new AgentKitError('invalid_input', edited.problem);
    return edited.text;
  }, text);
}

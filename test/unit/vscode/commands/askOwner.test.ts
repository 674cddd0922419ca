import assert from 'node:assert/strict';
import { AgentKitError } from '../../../../src/core/agentKitError.ts';
import type { AgentKit } from '../../../../src/engine/agentKitTypes.ts';
import type { Services } from '../../../../src/vscode/platform/services.ts';
import { cancel, shown, startOver } from '../fakeEditor.ts';

const { askOwner } = await import('../../../../src/vscode/commands/askOwner.ts');

describe('askOwner', () => {
  let told: string[];
  beforeEach(() => {
    startOver();
    told = [];
  });

  function ask(request: AgentKit['request']) {
    const services = {
      requireTrust: () => undefined,
      kit: () => Promise.resolve({ request }),
      log: { info: () => undefined },
      notify: { info: (text: string) => told.push(text), warn: (text: string) => told.push(text) },
      lanes: { refresh: () => Promise.resolve() },
    } as unknown as Services;
    return askOwner(services, 'run', { do: 'stopRun' }, 'Stopping');
  }

  it('tells what the owner answered', async () => {
    await ask(() => Promise.resolve({ ok: true, message: 'The run stops.' }));
    assert.deepEqual(told, ['The run stops.']);
  });

  it('says whom it waits for, and Cancel reaches the request', async () => {
    const asked = ask((_run, _request, wait) => {
      wait?.onWait?.({ pid: 77, head: 'ak' });
      return new Promise((_resolve, reject) => {
        wait?.signal?.addEventListener('abort', () =>
          reject(new AgentKitError('cancelled', 'It was withdrawn.')),
        );
      });
    });
    await new Promise(setImmediate);
    assert.match(shown.messages.join(), /process 77/);
    cancel.fire(undefined);
    await assert.rejects(asked, /withdrawn/);
    assert.deepEqual(told, ['It was withdrawn.']);
  });
});

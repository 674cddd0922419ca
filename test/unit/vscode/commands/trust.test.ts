import assert from 'node:assert/strict';
import type { Memento } from 'vscode';
import { AgentKitError } from '../../../../src/core/agentKitError.ts';
import { commandIds, type CommandId } from '../../../../src/ids.ts';
import type { Boards } from '../../../../src/vscode/board/registerBoard.ts';
import type { AgentTerminals } from '../../../../src/vscode/commands/accountCommands.ts';
import type { CommandHandler } from '../../../../src/vscode/commands/commandTable.ts';
import type { LaneSurfaces } from '../../../../src/vscode/commands/laneCommands.ts';
import type { Services } from '../../../../src/vscode/platform/services.ts';
import { shown, startOver } from '../fakeEditor.ts';

const { accountCommands } = await import('../../../../src/vscode/commands/accountCommands.ts');
const { laneCommands } = await import('../../../../src/vscode/commands/laneCommands.ts');
const { logCommands } = await import('../../../../src/vscode/commands/logCommands.ts');
const { runCommands } = await import('../../../../src/vscode/commands/runCommands.ts');
const { planCommands } = await import('../../../../src/vscode/plan/planCommands.ts');

/** They show, and start nothing: no process, no git, no file. */
const showing: ReadonlySet<CommandId> = new Set([
  'agentkit.log.show',
  'agentkit.account.copyName',
  'agentkit.plan.openDemo',
  'agentkit.board.open',
  'agentkit.board.showPlan',
  'agentkit.board.showRun',
]);

describe('commands in a workspace that is not trusted', () => {
  const refused = () => new AgentKitError('refused', 'not trusted');
  let refreshed = 0;

  /** Commands as `activate` registers them. */
  function tableOf(trusted: boolean): Record<string, CommandHandler> {
    const requireTrust = () => {
      if (!trusted) throw refused();
    };
    const services = {
      kit: () => Promise.reject(refused()),
      requireTrust,
      lanes: { runs: [], lane: () => undefined, run: () => undefined },
      desk: () => {
        throw refused();
      },
      accounts: {
        accounts: [{ kind: 'demo' }],
        load: () => Promise.resolve(),
        refresh: () => Promise.resolve((refreshed += 1)),
      },
      log: { show: () => undefined },
    } as unknown as Services;
    const surfaces = { terminals: {}, reviews: { current: () => undefined } } as unknown as LaneSurfaces;
    return {
      ...laneCommands(services, surfaces, {} as Memento),
      ...runCommands(services),
      ...accountCommands(services, {} as AgentTerminals),
      ...logCommands(services),
      ...planCommands(services, { editor: {}, choices: {} } as unknown as Boards),
    };
  }

  async function call(handle: CommandHandler | undefined): Promise<void> {
    assert.ok(handle);
    await handle();
  }

  beforeEach(() => {
    startOver();
    refreshed = 0;
  });

  for (const id of commandIds.filter((each) => !showing.has(each)))
    it(`${id} is refused before it asks or starts anything`, async () => {
      await assert.rejects(
        call(tableOf(false)[id]),
        (error: unknown) => error instanceof AgentKitError && error.reason === 'refused',
      );
      assert.deepEqual(
        [shown.questions, shown.messages.length, shown.terminals.length, refreshed],
        [0, 0, 0, 0],
      );
    });

  it('are allowed once it is', async () => {
    const table = tableOf(true);
    await table['agentkit.account.refreshUsage']?.();
    assert.equal(refreshed, 1);
    await assert.rejects(call(table['agentkit.lane.stop']), /No lane is running/);
  });
});

import assert from 'node:assert/strict';
import { agentMark } from '../../../../src/core/safety/agentEnvironment.ts';

describe('agentMark', () => {
  for (const name of ['CLAUDECODE', 'AGENTKIT_RUN', 'CODEX_SANDBOX_NETWORK_DISABLED', 'GEMINI_CLI'])
    it(`knows an agent's environment by ${name}`, () => {
      assert.equal(agentMark({ PATH: '/bin', [name]: '1' }), name);
    });

  it("takes a person's own for none, whatever accounts it names", () => {
    assert.equal(
      agentMark({ PATH: '/bin', AGENTKIT_PROFILES_DIR: '/x', CODEX_HOME: '/y', CLAUDE_CONFIG_DIR: '/z' }),
      undefined,
    );
  });
});

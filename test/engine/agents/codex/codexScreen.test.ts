import assert from 'node:assert/strict';
import { codexScreen } from '../../../../src/engine/agents/codex/codexScreen.ts';

const profile = { kind: 'codex', name: '@one', folder: '/profile' };
const own = { kind: 'codex', name: '@default', folder: null };
const thread = '01a22a26-01a3-7d80-bf0a-35a4a24f482e';
const asking = ['-c', 'sandbox_mode="workspace-write"', '-c', 'approval_policy="on-request"'];

describe('the screen of codex', () => {
  it('stays in its sandbox, and asks or not as the posture says', () => {
    assert.deepEqual(codexScreen({ posture: 'ask', args: [] }, own), asking);
    const auto = codexScreen({ posture: 'auto', args: [] }, own);
    assert.deepEqual(auto, [...asking.slice(0, 3), 'approval_policy="never"']);
  });

  it("keeps a profile's login in its folder, and leaves that of Codex's own home alone", () => {
    const [, login] = codexScreen({ posture: 'ask', args: [] }, profile);
    assert.equal(login, 'cli_auth_credentials_store="file"');
    assert.doesNotMatch(codexScreen({ posture: 'ask', args: [] }, own).join(), /credentials/);
  });

  it('goes on with a session: the word before every option, the id right after it', () => {
    const screen = (resume: 'last' | 'choose' | { id: string }) =>
      codexScreen({ posture: 'ask', resume, args: ['fix it'] }, own);
    assert.deepEqual(screen('last'), ['resume', '--last', ...asking, 'fix it']);
    assert.deepEqual(screen('choose'), ['resume', ...asking, 'fix it']);
    assert.deepEqual(screen({ id: thread }), ['resume', thread, ...asking, 'fix it']);
    for (const id of ['', '--all', 'a name', `${thread}x`])
      assert.throws(() => screen({ id }), { reason: 'invalid_input' }, id);
  });

  it('sets a model as a value of TOML, whatever it holds', () => {
    const screen = codexScreen({ posture: 'ask', model: 'a "b" \\ c', args: [] }, own);
    assert.deepEqual(screen.slice(-2), ['-c', 'model="a \\"b\\" \\\\ c"']);
  });

  it("sets nothing by an option that the person's own arguments may hold too", () => {
    const args = ['-s', 'read-only', '-a', 'on-request', '-m', 'x', '-C', '/elsewhere'];
    const screen = codexScreen({ posture: 'auto', model: 'y', args }, profile);
    const ours = screen.slice(0, -args.length);
    assert.deepEqual(screen.slice(-args.length), args);
    assert.deepEqual(new Set(ours.filter((word) => word.startsWith('-'))), new Set(['-c']));
  });
});

import assert from 'node:assert/strict';
import { addConsent } from '../../src/engine/person/consents.ts';
import { AgentWorld } from './agentWorld.ts';

const kinds = ['claude', 'codex'] as const;

describe('a lane whose real agent reaches a limit after half of its work', function () {
  this.timeout(180_000);
  let world: AgentWorld;
  beforeEach(async () => {
    world = new AgentWorld();
    await world.open();
    for (const kind of kinds) {
      // The first of two with the same room is taken first.
      world.account(kind, '@a', 'limit_after_work');
      world.account(kind, '@b');
      world.server.teach({
        when: `Do the piece of ${kind}.`,
        say: 'Done.',
        steps: [
          { write: { path: `${kind}.txt`, content: 'half\n' } },
          { shell: `cat ${kind}.txt > ${kind}-too.txt` },
        ],
      });
    }
  });
  afterEach(() => world.dispose());

  async function lanesWith(onLimit: string) {
    const kit = await world.kit();
    const jobs = kinds.map((kind) => ({
      id: kind,
      kind,
      paths: [`${kind}*.txt`],
      prompt: `Do the piece of ${kind}.`,
      steps: [],
    }));
    const { lanes } = await (await kit.startRun({ text: world.plan(jobs, { on_limit: onLimit }) })).atRest;
    return lanes;
  }

  it('goes on in its conversation under the next account, where the person gave their word', async () => {
    for (const kind of kinds) await addConsent(world.environment, `continue:${kind}`, kinds);
    for (const { state, attempts, branch, why_not } of await lanesWith('continue')) {
      assert.equal(state, 'ready', why_not.join());
      const [first, second, ...more] = attempts;
      const kind = first?.account.split('/')[0] ?? '';
      assert.deepEqual([first?.account, second?.account, more], [`${kind}/@a`, `${kind}/@b`, []]);
      assert.ok(first?.session_id !== undefined && first.session_id === second?.session_id);
      assert.equal(world.git('show', `${branch}:${kind}-too.txt`), 'half');
      const told = world.server.requests.filter(({ told }) => told.join().includes(`piece of ${kind}.`));
      const [began, used, resumed] = told;
      assert.equal(began?.login, used?.login);
      assert.notEqual(began?.login, resumed?.login, 'the second account asked');
      assert.match(
        resumed?.told.join('\n') ?? '',
        /Do the piece of [^]*Your previous turn was ended by a limit/,
      );
      assert.equal(resumed?.results.length, 1, 'it knows what was done before');
    }
  });

  it('does not go on under another account without that word', async () => {
    for (const { attempts, warnings, why_not, job } of await lanesWith('continue')) {
      assert.match([...warnings, ...why_not].join('\n'), new RegExp(`ak consent add continue:${job}`));
      const sessions = attempts.map(({ session_id }) => session_id);
      assert.equal(new Set(sessions).size, sessions.length, 'a session went on');
    }
    assert.deepEqual(world.accountsThatSent('Your previous turn was ended'), []);
  });
});

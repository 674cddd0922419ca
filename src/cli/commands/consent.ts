import type { Command } from 'commander';
import { AgentKitError } from '../../core/agentKitError.ts';
import { askPerson, canAskPerson } from '../askPerson.ts';
import type { Session } from '../session.ts';
import { table } from '../table.ts';

const more = `
Names:
  parallel-writers     a coding agent may start plans with more than one writing agent, by itself
  continue:KIND        at a limit, work goes on under another of your accounts of that vendor, like continue:claude

Only you can give a consent, in a terminal of your own: there is no --yes, and inside an agent's environment it is
refused. It is kept in ~/.config/agentkit/consent.json until you take it back with ak consent rm.

Exit codes: 0 done, 1 you said no, 2 no such name, 3 it was not given, 6 only the person may give it.
`;

/** `ak consent`; it needs no repository. */
export function fillConsent(consent: Command, session: Session): void {
  consent.addHelpText('after', more);
  consent
    .command('ls', { isDefault: true })
    .description('List what you have consented to.')
    .option('--json', 'print consent-v1')
    .action(async () => {
      const consents = await (await session.machine()).consents();
      const rows = consents.map(({ name, given_at }) => [name, `since ${given_at}`]);
      session.answer(
        'consent-v1',
        { consents },
        rows.length > 0 ? table(rows) : 'You have given no consent.',
      );
    });
  consent
    .command('add')
    .description('Give a consent; it asks you in the terminal.')
    .argument('<name>', 'parallel-writers or continue:KIND')
    .option('--json', 'print consent-v1')
    .addHelpText('after', more)
    .action(async (name: string) => {
      const machine = await session.machine();
      const meaning = await machine.consentToGive(name);
      if (!canAskPerson())
        throw new AgentKitError(
          'refused',
          `Only you can give a consent, and here is no terminal to ask you in. In one of your own: ak consent add ${name}`,
        );
      const yes = await askPerson(session, `${name}: ${meaning}. Until you take it back.\nDo you consent?`);
      if (yes) await machine.giveConsent(name);
      else session.exitCode = 1;
      session.answer(
        'consent-v1',
        { consents: await machine.consents() },
        yes ? `Given: ${name}` : 'Not given.',
      );
    });
  consent
    .command('rm')
    .description('Take a consent back.')
    .argument('<name>')
    .option('--json', 'print consent-v1')
    .action(async (name: string) => {
      const machine = await session.machine();
      await machine.withdrawConsent(name);
      session.answer('consent-v1', { consents: await machine.consents() }, `Taken back: ${name}`);
    });
}

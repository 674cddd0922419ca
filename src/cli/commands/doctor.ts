import type { Command } from 'commander';
import { doctorAnswer, doctorText } from '../doctorAnswer.ts';
import type { Session } from '../session.ts';

/** Written into the bundle by the build. */
declare const AGENTKIT_VERSION: string;

const more = `
It looks at Node and git, your settings and who may write them, the folders of your accounts, each agent CLI and
whether it is logged in, variables that would win over a login, leases, and the repository you are in. It asks the
CLIs on this machine, in an empty folder, and contacts no vendor. It changes nothing: each problem comes with the
command that cures it.

Exit codes: 0 nothing is wrong, 1 there are problems.
`;

/** `ak doctor`. */
export function fillDoctor(command: Command, session: Session): void {
  command
    .option('--json', 'print doctor-v1')
    .addHelpText('after', more)
    .action(async () => {
      const report = await (await session.machine()).doctor(process.cwd());
      if (report.findings.some(({ severity }) => severity === 'problem')) session.exitCode = 1;
      session.answer('doctor-v1', doctorAnswer(report, AGENTKIT_VERSION), doctorText(report));
    });
}

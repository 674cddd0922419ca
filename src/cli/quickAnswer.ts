import { jsonLine } from './jsonLine.ts';
import { writeOut } from './writeOut.ts';

/** Written into the bundle by the build: the help of `createProgram`, and the version of the package. */
declare const AGENTKIT_HELP: string;
declare const AGENTKIT_VERSION: string;

/** Answers the command lines that need no command loaded. Returns the exit code; undefined for all others. */
export function quickAnswer(argv: readonly string[]): number | undefined {
  const asJson = argv.includes('--json');
  const [word, ...others] = argv.filter((each) => each !== '--json');
  if (others.length > 0) return undefined;
  if (word === '--help' || word === '-h' || word === 'help')
    writeOut(asJson ? jsonLine('help-v1', { text: AGENTKIT_HELP }) : AGENTKIT_HELP);
  else if (word === '--version' || word === '-V')
    writeOut(asJson ? jsonLine('version-v1', { version: AGENTKIT_VERSION }) : `${AGENTKIT_VERSION}\n`);
  else return undefined;
  return 0;
}

// @ts-check
import { UsageError } from './usageError.mjs';

export const usage = `Usage: npm start                                      the demo in VS Code
       npm start -- --headless [--dir D] [--json]     the demo run without an editor

  --dir D    make the demo repository in D, an empty or new folder (default: a temporary one)
  --json     print exactly one JSON object on standard output
`;

/**
 * @typedef {object} Flags
 * @property {boolean} help
 * @property {boolean} headless
 * @property {boolean} json
 * @property {string | undefined} dir
 */

/**
 * @param {readonly string[]} args
 * @returns {Flags}
 * @throws {UsageError}
 */
export function parseFlags(args) {
  /** @type {Flags} */
  const flags = { help: false, headless: false, json: false, dir: undefined };
  const rest = [...args];
  for (let arg = rest.shift(); arg !== undefined; arg = rest.shift()) {
    const [name, inline] = splitFlag(arg);
    if (name === '--dir') flags.dir = inline ?? rest.shift();
    else if (inline !== undefined || !isSwitch(name)) throw new UsageError(`"${arg}" is not known here.`);
    else flags[switches[name]] = true;
    if (name === '--dir' && (!flags.dir || flags.dir.startsWith('--')))
      throw new UsageError('--dir needs a folder.');
  }
  if (!flags.headless && !flags.help && (flags.json || flags.dir !== undefined)) {
    throw new UsageError(`${flags.json ? '--json' : '--dir'} goes with --headless.`);
  }
  return flags;
}

/** @type {Record<'--help' | '-h' | '--headless' | '--json', 'help' | 'headless' | 'json'>} */
const switches = { '--help': 'help', '-h': 'help', '--headless': 'headless', '--json': 'json' };

/**
 * @param {string} name
 * @returns {name is keyof typeof switches}
 */
function isSwitch(name) {
  return Object.hasOwn(switches, name);
}

/**
 * @param {string} arg
 * @returns {[string, string | undefined]}
 */
function splitFlag(arg) {
  const equals = arg.startsWith('--') ? arg.indexOf('=') : -1;
  return equals < 0 ? [arg, undefined] : [arg.slice(0, equals), arg.slice(equals + 1)];
}

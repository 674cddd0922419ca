// @ts-check
// `node scripts/runTask.mjs TASK… [-- ARGS…]`: runs tasks of scripts/tasks.mjs; ARGS go to the last command.
import { runCommand } from './runCommand.mjs';
import { tasks } from './tasks.mjs';
import { prepareToolchain } from './toolchain.mjs';

const separator = process.argv.indexOf('--');
const names = process.argv.slice(2, separator < 0 ? undefined : separator);
const extra = separator < 0 ? [] : process.argv.slice(separator + 1);

const toolchain = prepareToolchain();
const commands = names.flatMap((name) => tasks[name] ?? unknownTask(name));
for (const [index, command] of commands.entries()) {
  const isLast = index === commands.length - 1;
  const code = await runCommand(toolchain, isLast ? [...command, ...extra] : command);
  // Every check of a task is worth seeing, so a failure does not keep the next one from running.
  if (code !== 0) process.exitCode = code;
}

/**
 * @param {string} name
 * @returns {never}
 */
function unknownTask(name) {
  throw new Error(`There is no task "${name}". Tasks: ${Object.keys(tasks).join(', ')}.`);
}

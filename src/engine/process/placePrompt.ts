import type { Launch } from './launch.ts';

/** A kind that a user describes gets its prompt in a file where its arguments say so, and then by nothing else. */
export function placePrompt(launch: Launch): Launch {
  const { user_kind: described, stdin_file: file, argv } = launch;
  if (!described || file === null || !argv.some((word) => word.includes('{prompt_file}'))) {
    return launch;
  }
  return {
    ...launch,
    argv: argv.map((word) => word.replaceAll('{prompt_file}', () => file)),
    stdin_file: null,
  };
}

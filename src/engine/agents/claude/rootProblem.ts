/**
 * Claude Code does not work without asking as root unless it is told that the machine is a sandbox. That word is the
 * person's to give: we neither give it for them nor let a lane quietly do less. Undefined when nothing is in the way.
 */
export function rootProblem(
  environment: Readonly<Record<string, string | undefined>>,
  userId: number | undefined,
): string | undefined {
  if (userId !== 0 || environment['IS_SANDBOX'] === '1') {
    return undefined;
  }
  return (
    'Claude Code does not work without asking as root. Run as another user, or, if this machine is a sandbox that ' +
    'may be broken (a container, a throw-away machine), say so with: export IS_SANDBOX=1'
  );
}

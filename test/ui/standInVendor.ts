import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/**
 * A program `claude` that stands in for Claude Code and says so: no AI, no network. It answers what AgentKit asks about
 * an account, its login writes a file into the account's home, and its screen echoes until it reads "exit". Nothing of
 * a vendor's is in it but the shape of the answers.
 */
export class StandInVendor {
  /** To be put in front of PATH. */
  readonly folder: string;

  constructor(root: string) {
    this.folder = path.join(root, 'stand-in vendor CLIs');
    mkdirSync(this.folder, { recursive: true });
    const program = path.join(this.folder, 'claude');
    writeFileSync(program, standIn(60, 35));
    chmodSync(program, 0o755);
  }

  /** The arguments of each call so far. */
  calls(): string[] {
    const file = path.join(this.folder, 'claude.calls');
    return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
  }
}

/** The program, with what is used of its two windows in percent. */
function standIn(fiveHour: number, weekly: number): string {
  const hour = 3_600_000;
  const resets = (hours: number) => new Date(Date.now() + hours * hour).toISOString();
  const usage = {
    type: 'control_response',
    response: {
      subtype: 'success',
      request_id: 'agentkit-usage',
      response: {
        subscription_type: 'stand-in',
        rate_limits_available: true,
        rate_limits: {
          five_hour: { utilization: fiveHour, resets_at: resets(2.5) },
          seven_day: { utilization: weekly, resets_at: resets(70) },
          limits: [],
        },
      },
    },
  };
  return `#!/bin/sh
echo "$*" >> "$0.calls"
home="\${CLAUDE_CONFIG_DIR:-$HOME/.claude}"
login="$home/stand-in-login"
case "$*" in
--version) echo "2.1.332 (stand-in for Claude Code)" ;;
"auth status --json")
  if [ -f "$login" ]; then
    echo "{\\"loggedIn\\": true, \\"authMethod\\": \\"claude.ai\\", \\"email\\": \\"$(cat "$login")\\", \\"orgId\\": \\"stand-in\\"}"
  else
    echo '{"loggedIn": false, "authMethod": "none"}'
    exit 1
  fi ;;
"auth login")
  echo "This program stands in for Claude Code. Here the vendor's own login would be."
  printf "Who are you? "
  read -r who || exit 1
  [ -n "$who" ] || exit 1
  mkdir -p "$home" && echo "$who" > "$login" ;;
*--input-format=stream-json*)
  read -r _
  echo '${JSON.stringify(usage)}' ;;
*)
  echo "This program stands in for Claude Code. Here its own screen would be."
  echo "account:   $AGENTKIT_ACTIVE_ACCOUNT"
  echo "home:      $home"
  echo "arguments: $*"
  while printf "> " && read -r line; do
    [ "$line" = exit ] && exit 0
    echo "$line"
  done ;;
esac
`;
}

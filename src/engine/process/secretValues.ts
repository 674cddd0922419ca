import { existsSync } from 'node:fs';
import { isAbsolute } from 'node:path';

const secretName = /(KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIALS?|AUTHORIZATION)(_|$)|(^|_)(AUTH|PAT)(_|$)/i;
/** Shorter values would hide ordinary words. */
const shortest = 8;

/** Values of variables that have the name of a secret, to be taken out of everything that is written down. */
export function secretValues(environment: Readonly<Record<string, string | undefined>>): string[] {
  return Object.entries(environment).flatMap(([name, value]) =>
    value !== undefined && value.length >= shortest && secretName.test(name) && !isFile(value) ? [value] : [],
  );
}

/** A path (SSH_AUTH_SOCK, a key's file) is no secret, and hiding it hides what a message is about. */
function isFile(value: string): boolean {
  return isAbsolute(value) && existsSync(value);
}

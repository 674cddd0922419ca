import { existsSync } from 'node:fs';
import { isAbsolute } from 'node:path';

const secretName =
  /(KEY|TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIALS?|AUTHORIZATION)\d*(_|$)|(^|_)(AUTH|PAT|PASS|PWD)\d*(_|$)/i;
/** Shorter values would hide ordinary words. */
const shortest = 8;
/** Who logs in, and with what, in an address such as `postgres://me:secret@host/db`. */
const login = /\/\/[^\s/?#@:]*:([^\s/?#@]+)@/g;

/**
 * What is to be taken out of everything that is written down: the values of variables that have the name of a secret,
 * and the logins in addresses. A value of several lines is there as a whole and line by line.
 */
export function secretValues(environment: Readonly<Record<string, string | undefined>>): string[] {
  return Object.entries(environment).flatMap(([name, value = '']) =>
    secretName.test(name) && name !== 'PWD' && !isFile(value) ? partsOf(value) : loginsIn(value),
  );
}

function partsOf(value: string): string[] {
  const lines = value.split(/\r?\n/).map((line) => line.trim());
  return [...new Set([value, ...lines])].filter(({ length }) => length >= shortest);
}

/** A short password is hidden only where it stands in such an address. */
function loginsIn(value: string): string[] {
  return [...value.matchAll(login)].flatMap(([whole, password = '']) => [
    whole,
    ...[password, decoded(password)].filter(({ length }) => length >= shortest),
  ]);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** A path (SSH_AUTH_SOCK, a key's file) is no secret, and hiding it hides what a message is about. */
function isFile(value: string): boolean {
  return isAbsolute(value) && existsSync(value);
}

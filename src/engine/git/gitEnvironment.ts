/** What git and its filters need from the caller; everything else stays outside. */
const wanted =
  /^(PATH|HOME|USER|LOGNAME|SHELL|TMPDIR|TMP|TEMP|XDG_.+|SSH_AUTH_SOCK|GNUPGHOME|EMAIL|(HTTPS?|ALL|NO|FTP)_PROXY)$/i;

/** Variables that say who the user is and where the user's own git settings lie; the only ones of git's that are kept. */
const wantedOfGit =
  /^GIT_(AUTHOR_NAME|AUTHOR_EMAIL|COMMITTER_NAME|COMMITTER_EMAIL|CONFIG_GLOBAL|CONFIG_SYSTEM|CONFIG_NOSYSTEM|SSL_CAINFO)$/;

/** Kept from hooks: the editor's own variables, and names that look like keys (a lane can hold its own hooks). */
const keptFromHooks = /^(GIT_|ELECTRON_|VSCODE_)|TOKEN|SECRET|PASSWORD|PASSWD|API_?KEY|CREDENTIAL/i;

type Environment = Record<string, string | undefined>;

/**
 * The environment of a git process. Nothing in it redirects git to another repository, index or object store,
 * so a caller that itself runs inside a git hook cannot divert us.
 */
export function gitEnvironment(own: Environment): Environment {
  return { ...pick(own, (name) => wanted.test(name) || wantedOfGit.test(name)), ...fixed, LC_ALL: 'C' };
}

/** The environment of a git process that is meant to run the user's hooks: theirs, without keys. */
export function hookEnvironment(own: Environment): Environment {
  return { ...pick(own, (name) => wantedOfGit.test(name) || !keptFromHooks.test(name)), ...fixed };
}

const fixed = {
  GIT_TERMINAL_PROMPT: '0',
  GIT_EDITOR: ':',
  GIT_PAGER: 'cat',
  // Reading a checkout must not take its index lock from under the user.
  GIT_OPTIONAL_LOCKS: '0',
};

function pick(own: Environment, keep: (name: string) => boolean): Environment {
  return Object.fromEntries(Object.entries(own).filter(([name]) => keep(name)));
}

import { formatAccount } from '../core/accounts/account.ts';
import type { DoctorFinding, DoctorReport } from '../engine/createMachine.ts';
import { table } from './table.ts';

/** doctor-v1: the fields of the published `ak`, and ours beside them. */
export function doctorAnswer(report: DoctorReport, version: string): object {
  const { node, git, accounts, keys, permissions, repository, findings } = report;
  return {
    version,
    os: process.platform,
    kinds: Object.fromEntries(
      Object.entries(report.kinds).map(([id, { kind, installed, path, version: told }]) => [
        id,
        {
          cli: kind.cli?.program ?? null,
          provider: kind.cli?.provider ?? null,
          installed,
          path,
          version: told,
          logged_in: loggedIn(id, report),
          label: kind.label,
          measured: kind.cli?.measured ?? [],
        },
      ]),
    ),
    profiles: Object.fromEntries(
      Object.keys(report.kinds).map((id) => [
        id,
        accounts.flatMap(({ profile }) =>
          profile.kind === id && profile.folder !== null ? [profile.name.slice(1)] : [],
        ),
      ]),
    ),
    keys,
    permissions,
    problems: problemsOf(findings).map(sentence),
    notes: notesOf(findings).map(sentence),
    findings,
    accounts: accounts.map(({ account, profile, login }) => ({ account, path: profile.folder, login })),
    node,
    git,
    repository,
  };
}

/** The same for people: what is here, then what is wrong. */
export function doctorText(report: DoctorReport): string {
  const { node, git, accounts, permissions, findings } = report;
  const kinds = Object.entries(report.kinds).map(([id, { kind, installed, path, version }]) => [
    id,
    kind.label,
    installed ? (version ?? 'here') : 'not installed',
    path ?? '',
  ]);
  const problems = problemsOf(findings);
  const notes = notesOf(findings);
  return [
    `Node ${node}, git ${git ?? 'missing'}, agents ${permissions === 'ask' ? 'ask before they act' : 'act without asking'}`,
    table(kinds),
    ...(accounts.length > 0
      ? ['', table(accounts.map(({ profile, login }) => accountRow(profile, login)))]
      : []),
    ...(notes.length > 0 ? ['', 'Notes:', ...notes.map(bullet)] : []),
    '',
    ...(problems.length > 0
      ? [`Problems: ${problems.length}`, ...problems.map(bullet)]
      : ['Nothing is wrong.']),
  ].join('\n');
}

const logins = { ok: 'logged in', not_logged_in: 'not logged in', unknown: 'login unknown' };

function accountRow(
  profile: { kind: string; name: string; folder: string | null },
  login: keyof typeof logins,
) {
  return [formatAccount({ kind: profile.kind, profile: profile.name }), logins[login], profile.folder ?? ''];
}

/** Whether any account of the kind is; null where none can tell. */
function loggedIn(id: string, { accounts }: DoctorReport): boolean | null {
  const known = accounts.filter(({ profile }) => profile.kind === id).map(({ login }) => login);
  if (known.includes('ok')) return true;
  return known.length === 0 || known.includes('not_logged_in') ? false : null;
}

function problemsOf(findings: readonly DoctorFinding[]): DoctorFinding[] {
  return findings.filter(({ severity }) => severity === 'problem');
}

function notesOf(findings: readonly DoctorFinding[]): DoctorFinding[] {
  return findings.filter(({ severity }) => severity === 'note');
}

function sentence({ message, cure }: DoctorFinding): string {
  return cure === null ? message : `${message}: ${cure}`;
}

function bullet({ message, cure }: DoctorFinding): string {
  return cure === null ? `  - ${message}` : `  - ${message}\n      ${cure}`;
}

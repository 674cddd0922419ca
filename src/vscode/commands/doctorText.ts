import { formatAccount } from '../../core/accounts/account.ts';
import { escapeMarkdown } from '../../core/safety/escapeMarkdown.ts';
import type { DoctorFinding, DoctorReport } from '../../engine/agentKit.ts';
import type { Render } from '../platform/render.ts';

/** The doctor's report as Markdown: what is wrong and its cures first, then what is here. Nothing in it becomes markup. */
export function doctorText(report: DoctorReport, render: Render): string {
  const { t } = render;
  const problems = report.findings.filter(({ severity }) => severity === 'problem');
  const notes = report.findings.filter(({ severity }) => severity === 'note');
  const summary =
    problems.length === 0
      ? t('Nothing is wrong.')
      : problems.length === 1
        ? t('One thing is wrong.')
        : t('{0} things are wrong.', problems.length);
  return [
    `# ${t('AgentKit Doctor')}`,
    summary,
    ...section(t('What is wrong'), problems),
    ...section(t('Worth knowing'), notes),
    `## ${t('Agents')}`,
    agentTable(report, render),
    ...(report.accounts.length > 0 ? [`## ${t('Accounts')}`, accountTable(report, render)] : []),
    `## ${t('This machine')}`,
    machineList(report, render),
  ].join('\n\n');
}

function section(title: string, findings: readonly DoctorFinding[]): string[] {
  if (findings.length === 0) return [];
  const items = findings.map(({ message, cure }) =>
    cure === null ? `- ${escapeMarkdown(message)}` : `- ${escapeMarkdown(message)}\n\n${indented(cure)}`,
  );
  return [`## ${title}`, ...items];
}

/** A command on lines of its own, inside a list; lines that are indented so far are never markup. */
function indented(command: string): string {
  return command
    .split('\n')
    .map((line) => `      ${line}`)
    .join('\n');
}

function agentTable({ kinds }: DoctorReport, { t }: Render): string {
  const rows = Object.values(kinds).map(({ kind, installed, version, path }) => [
    escapeMarkdown(kind.label),
    installed ? escapeMarkdown(version ?? t('here')) : t('not installed'),
    path === null ? '' : escapeMarkdown(path),
  ]);
  return table([t('Agent'), t('Version'), t('Program')], rows);
}

function accountTable({ accounts }: DoctorReport, { t }: Render): string {
  const logins = { ok: t('logged in'), not_logged_in: t('not logged in'), unknown: t('not known') };
  const rows = accounts.map(({ profile, login }) => [
    escapeMarkdown(formatAccount({ kind: profile.kind, profile: profile.name })),
    logins[login],
    profile.folder === null ? t("the CLI's own home") : escapeMarkdown(profile.folder),
  ]);
  return table([t('Account'), t('Login'), t('Folder')], rows);
}

function machineList({ node, git, permissions, repository, keys }: DoctorReport, { t }: Render): string {
  return [
    t('Node {0}, git {1}', escapeMarkdown(node), escapeMarkdown(git ?? t('missing'))),
    permissions === 'ask' ? t('Agents ask before they act.') : t('Agents act without asking.'),
    ...(repository === null ? [] : [t('Repository: {0}', escapeMarkdown(repository))]),
    ...(keys.length === 0 ? [] : [t('Keys in the environment: {0}', escapeMarkdown(keys.join(', ')))]),
  ]
    .map((line) => `- ${line}`)
    .join('\n');
}

function table(head: string[], rows: string[][]): string {
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

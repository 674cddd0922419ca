import { homedir } from 'node:os';
import { env, l10n, ProgressLocation, window, workspace } from 'vscode';
import type { DoctorFinding } from '../../engine/agentKit.ts';
import type { Services } from '../platform/services.ts';
import { doctorText } from './doctorText.ts';

/** Examines this machine, which contacts no vendor and changes nothing, and shows what was found with its cures. */
export async function showDoctor(services: Services): Promise<void> {
  services.requireTrust();
  const folder = workspace.workspaceFolders?.find(({ uri }) => uri.scheme === 'file')?.uri.fsPath;
  const report = await window.withProgress(
    { location: ProgressLocation.Notification, title: l10n.t('The doctor is looking at this machine') },
    () => services.machine().doctor(folder ?? homedir()),
  );
  const render = { t: l10n.t, now: Date.now(), locale: env.language };
  await services.doctor.show(doctorText(report, render));
  const cures = report.findings.filter(({ cure }) => cure !== null);
  if (cures.length === 0) return;
  services.notify.info(l10n.t('The doctor knows commands that cure what it found.'), {
    label: l10n.t('Copy a Cure…'),
    run: () => copyCure(cures),
  });
}

async function copyCure(findings: readonly DoctorFinding[]): Promise<void> {
  const items = findings.map(({ message, cure }) => ({ label: cure ?? '', detail: message }));
  const picked = await window.showQuickPick(items, {
    title: l10n.t('Copy Which Command?'),
    matchOnDetail: true,
  });
  if (picked) await env.clipboard.writeText(picked.label);
}

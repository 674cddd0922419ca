/** What a finding is about. */
export type FindingAbout =
  | 'node'
  | 'git'
  | 'home'
  | 'folder'
  | 'settings'
  | 'kind'
  | 'account'
  | 'environment'
  | 'leases'
  | 'repository';

/** One thing that was found. */
export interface DoctorFinding {
  about: FindingAbout;
  /** A note is worth knowing and needs no cure. */
  severity: 'problem' | 'note';
  message: string;
  /** A command for a shell that cures it; null where the message itself tells what to do. */
  cure: string | null;
}

export function problem(about: FindingAbout, message: string, cure: string | null = null): DoctorFinding {
  return { about, severity: 'problem', message, cure };
}

export function note(about: FindingAbout, message: string, cure: string | null = null): DoctorFinding {
  return { about, severity: 'note', message, cure };
}

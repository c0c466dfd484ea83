export interface IssueChange {
  /** The issue of its fingerprint, which it names. */
  issueId: string;
  /** The issue that people see: the same, or the one that it was merged into. */
  shownId: string;
  created: boolean;
  regressed: boolean;
  /** The issue is ignored: no alert rule fires. */
  ignored: boolean;
}

/** The project that crashes are counted in. */
export interface CrashProject {
  id: string;
  organizationId: string;
}

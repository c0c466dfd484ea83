export interface IssueChange {
  /** The issue of its fingerprint, which it refers to. */
  issueId: string;
  /** The visible issue: the same, or the one it was merged into. */
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

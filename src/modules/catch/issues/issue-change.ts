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

/** A change that may make alert rules fire. */
export interface AlertingChange extends IssueChange {
  /** When the first of the events that were stored together with it was received, in PostgreSQL's format. */
  since: string;
}

export interface CrashProject {
  id: string;
  organizationId: string;
}

import { ProjectRows } from '../../access/project-rows.js';
import { catchFailure } from '../catch.errors.js';
import { CrashIssue } from './crash-issue.entity.js';

/** Crash issues as callers name them; concurrent triage of one issue queues up on its lock. */
export const ISSUE_ROWS = new ProjectRows(CrashIssue, 'iss', () => catchFailure('issue_not_found'));

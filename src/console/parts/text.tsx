import { Anchor, type AnchorProps, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { scopePath, useScope } from '../data/scope.js';

/** What begins the name of a shortcut on this keyboard. */
export const COMMAND_KEY = /Mac|iPhone|iPad/.test(navigator.platform) ? '⌘' : 'Ctrl+';

/** As at the beginning of a line or a tag: with a capital. */
export const capitalized = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);

/** Text that explains or stands in for something, quieter than the rest. */
export const Muted = Text.withProps({ size: 'sm', c: 'dimmed' });

interface PageLinkProps extends AnchorProps {
  /** The path of a page of the same project and environment, part by part. */
  to: readonly string[];
  search?: object;
  children: ReactNode;
}

/** A link within a text. */
export function PageLink({ to, search, ...rest }: PageLinkProps) {
  return <Anchor component={Link} to={scopePath(useScope(), ...to)} search={search as never} inherit {...rest} />;
}

/** Who did something: a member by email; keys and parts of the server have none. */
export function actorWords(actorId: string, email: string): string {
  if (email) return email;
  if (actorId === 'system:halt-webhook') return 'a project key';
  if (actorId.startsWith('key:')) return `a key (${actorId.slice(-6)})`;
  if (actorId.startsWith('system:')) return `the server (${actorId.slice('system:'.length)})`;
  return actorId === 'anonymous' ? 'someone not signed in' : actorId;
}

/** Who halted a flag, after "halted"; empty once its rules were edited since: then only its history says it. */
export function haltedBy([newest]: readonly { action: string; actorId: string; actorEmail: string }[]): string {
  return newest?.action === 'halted' ? ` by ${actorWords(newest.actorId, newest.actorEmail)}` : '';
}

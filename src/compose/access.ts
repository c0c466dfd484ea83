import { CHANGES } from '../events/event-log.js';
import { AccessResolver } from '../modules/access/access.resolver.js';
import { AuditService } from '../modules/access/audit/audit.service.js';
import { AuditAppendedResolver } from '../modules/access/audit/audit-appended.resolver.js';
import { AuditEntryFields } from '../modules/access/audit/audit-entry-fields.resolver.js';
import { ProjectChangedResolver } from '../modules/access/audit/project-changed.resolver.js';
import { ApiTokenService } from '../modules/access/keys/api-token.service.js';
import { DeployTokenService } from '../modules/access/keys/deploy-token.service.js';
import { KeyDirectory } from '../modules/access/keys/key-directory.js';
import { ApiTokenFields } from '../modules/access/keys/key-fields.resolver.js';
import { KeysById } from '../modules/access/keys/keys-by-id.js';
import { ProjectKeyService } from '../modules/access/keys/project-key.service.js';
import { OrganizationService } from '../modules/access/organization.service.js';
import { OrganizationFields } from '../modules/access/organization-fields.resolver.js';
import { AuthenticationService } from '../modules/access/people/authentication.service.js';
import { HashingLane } from '../modules/access/people/hashing-lane.js';
import { MemberService } from '../modules/access/people/member.service.js';
import { MembershipFields } from '../modules/access/people/membership-fields.resolver.js';
import { PasswordChecks } from '../modules/access/people/password-checks.js';
import { SessionService } from '../modules/access/people/session.service.js';
import { SignInService } from '../modules/access/people/sign-in.service.js';
import { SignInThrottle } from '../modules/access/people/sign-in-throttle.js';
import { TokenSigner } from '../modules/access/people/token-signer.js';
import { ViewerResolver } from '../modules/access/people/viewer.resolver.js';
import { ProjectResolver } from '../modules/access/project.resolver.js';
import { ProjectFields } from '../modules/access/project-fields.resolver.js';
import { ProjectService } from '../modules/access/projects/project.service.js';
import { forgetDecisionUsage } from '../modules/quotas/decisions/last-use.js';
import { ProjectUsageResolver, QuotasResolver } from '../modules/quotas/quotas.resolver.js';
import { asSystem, type Composed, type Parts } from './parts.js';

/** Access and quotas, which every other module depends on. */
export function composeAccess(parts: Parts) {
  const { env, jwtSecret, clock, events, shared, pool, tx, quotas, operators, logger } = parts;
  const external = env.jwksUrl && env.jwksIssuer ? { jwksUrl: env.jwksUrl, issuer: env.jwksIssuer } : null;
  const signer = new TokenSigner([jwtSecret, ...env.jwtPreviousSecrets], clock, external);
  const keys = new KeyDirectory(pool, clock);
  const keysById = new KeysById(pool);
  shared.broadcast.subscribe(CHANGES, (message) => {
    if (message === null || message.endsWith(' access')) keys.forget();
  });
  const passwords = new PasswordChecks(new HashingLane(), new SignInThrottle(shared.counters));
  const services = {
    keys,
    keysById,
    quotas,
    authentication: new AuthenticationService(signer),
    signIns: new SignInService({ tx, signer, events, passwords, logger }),
    sessions: new SessionService(signer, events),
    organizations: new OrganizationService(events, env.openOrganizations),
    members: new MemberService(tx, events, passwords),
    projects: new ProjectService(events, operators),
    projectKeys: new ProjectKeyService(events),
    deployTokens: new DeployTokenService(events),
    apiTokens: new ApiTokenService(events, signer),
    audit: new AuditService(),
  };
  const { projects, projectKeys, deployTokens, apiTokens, members, organizations, audit } = services;
  return {
    services,
    resolvers: [
      new AccessResolver(services.signIns, services.sessions, organizations, members, audit),
      new ViewerResolver(organizations, operators),
      new OrganizationFields(projects, members, apiTokens, audit),
      new ProjectResolver(projects, projectKeys, deployTokens, apiTokens),
      new ProjectFields(projectKeys, deployTokens, apiTokens, members, audit),
      new MembershipFields(members),
      new ApiTokenFields(apiTokens),
      new AuditEntryFields(apiTokens),
      new AuditAppendedResolver(audit),
      new ProjectChangedResolver(),
      new QuotasResolver(quotas),
      new ProjectUsageResolver(quotas),
    ],
    jobHandlers: {
      'access.delete_expired_tokens': () =>
        asSystem(tx, 'clean-up', async (ctx) => {
          await services.apiTokens.deleteExpired(ctx);
          await services.sessions.deleteExpired(ctx);
        }),
      'quotas.forget_decision_usage': () => forgetDecisionUsage(pool, clock.now()),
    },
  } satisfies Composed<typeof services>;
}

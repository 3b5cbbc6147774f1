import { timingSafeEqual } from 'node:crypto';
import type { Clock } from '../../../runtime/base/clock.ts';
import type { Exchange, Reply } from '../exchange.ts';
import type { Ids } from '../ids.ts';
import type { Json } from '../json.ts';
import type { SandboxState } from '../state.ts';
import { wellKnownAudiences } from './audiences.ts';
import type { ClientAssertions } from './client-assertion.ts';
import type { Directory, Principal } from './directory.ts';
import { instanceDiscovery, openIdConfiguration } from './discovery.ts';
import { EntraErrors } from './entra-errors.ts';
import type { TokenIssuer } from './tokens.ts';

/** The dependencies that Microsoft Entra ID uses. */
export interface EntraIdDeps {
  readonly tenantId: string;
  /** Seconds an access token is valid. */
  readonly settings: { tokenLifetimeSeconds: number };
  /** Resources tokens may be asked for, besides Azure's own. */
  readonly audiences: () => readonly string[];
  readonly state: SandboxState;
  readonly directory: Directory;
  readonly assertions: ClientAssertions;
  readonly tokens: TokenIssuer;
  readonly clock: Clock;
  readonly ids: Ids;
}

const assertionType = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';

type Refuse = (number: Parameters<EntraErrors['refuse']>[0], message: string) => Error;

/** The token service: discovery, keys, and client credentials by secret, certificate or federation. */
export class EntraId {
  readonly #deps: EntraIdDeps;
  readonly #errors: EntraErrors;

  constructor(deps: EntraIdDeps) {
    this.#deps = deps;
    this.#errors = new EntraErrors(deps.ids, () => deps.clock.now());
  }

  readonly handle = async (exchange: Exchange): Promise<Reply> => {
    const path = `/${exchange.segments.join('/')}`;
    if (/^\/common\/discovery\/instance$/i.test(path)) {
      return { status: 200, body: instanceDiscovery(exchange, this.#deps.tenantId) };
    }
    if (/\/discovery\/(v2\.0\/)?keys$/i.test(path)) return { status: 200, body: this.#deps.tokens.jwks() };
    const route =
      /^(?<base>.*?\/(?<tenant>[^/]+))\/(?<rest>(v2\.0\/)?\.well-known\/openid-configuration|oauth2(\/v2\.0)?\/token)$/i.exec(
        path,
      );
    const { base = '', tenant = '', rest = '' } = route?.groups ?? {};
    if (!route)
      return {
        status: 404,
        headers: { 'content-type': 'text/html' },
        body: '<html><body>404 - Not Found</body></html>',
      };
    const tenantId = this.#tenant(tenant, exchange);
    if (rest.includes('.well-known')) {
      return { status: 200, body: openIdConfiguration(exchange, base, tenantId, rest.startsWith('v2.0')) };
    }
    if (exchange.method !== 'POST') throw this.#errors.refuse(900144, 'The endpoint only accepts POST requests.');
    return this.#token(exchange, base, tenantId, rest.includes('v2.0'));
  };

  #tenant(name: string, exchange: Exchange): string {
    const lower = name.toLowerCase();
    const { tenantId } = this.#deps;
    if (['common', 'organizations', 'adfs', tenantId.toLowerCase()].includes(lower)) return tenantId;
    const known = [...Object.values(this.#deps.state.subscriptions), ...Object.values(this.#deps.state.apps)];
    const found = known.find((owner) => owner.tenantId.toLowerCase() === lower);
    if (found) return found.tenantId;
    throw this.#errors.refuse(
      90002,
      `Tenant '${name}' not found. Check to make sure you have the correct tenant ID and are signing into the correct cloud.`,
      exchange.headers['client-request-id'],
    );
  }

  async #token(exchange: Exchange, base: string, tenantId: string, v2: boolean): Promise<Reply> {
    const form = new URLSearchParams(exchange.body.toString('utf8'));
    const correlation = exchange.headers['client-request-id'] ?? exchange.query.get('client-request-id') ?? undefined;
    const refuse: Refuse = (number, message) => this.#errors.refuse(number, message, correlation);
    const required = (name: string) => {
      const value = form.get(name);
      if (!value) throw refuse(900144, `The request body must contain the following parameter: '${name}'.`);
      return value;
    };
    const { entry } = exchange;
    const grant = required('grant_type');
    entry.grantType = grant;
    if (grant !== 'client_credentials') {
      throw refuse(70003, `The app requested an unsupported grant type '${grant}'.`);
    }
    const basic = /^Basic (.+)$/i.exec(exchange.headers['authorization'] ?? '')?.[1];
    const [basicId, basicSecret] = basic
      ? Buffer.from(basic, 'base64').toString('utf8').split(':').map(decodeURIComponent)
      : [];
    const clientId = basicId ?? required('client_id');
    entry.clientId = clientId;
    // AD FS, whose place in the path az takes to skip instance discovery, has one endpoint for both parameters.
    const byScope = v2 || (/\/adfs$/i.test(base) && !form.has('resource'));
    const audience = byScope ? this.#audienceOfScope(required('scope'), refuse) : required('resource');
    entry.audience = audience;
    const principal = this.#deps.directory.byClientId(clientId);
    if (!principal || principal.tenantId !== tenantId) {
      throw refuse(
        700016,
        `Application with identifier '${clientId}' was not found in the directory '${tenantId}'. This can happen if the application has not been installed by the administrator of the tenant or consented to by any user in the tenant. You may have sent your authentication request to the wrong tenant.`,
      );
    }
    entry.principalId = principal.objectId;
    const secret = basicSecret ?? form.get('client_secret');
    if (secret) {
      this.#checkSecret(principal, secret, refuse);
      entry.credential = 'secret';
    } else {
      const at = `${exchange.origin}${base}`;
      const endpoints = [
        `${at}/oauth2/v2.0/token`,
        `${at}/oauth2/token`,
        `${exchange.origin}/${tenantId}/v2.0`,
        at,
        `${at}/`,
      ];
      entry.credential = await this.#verifyAssertion(form, principal, endpoints, refuse);
    }
    if (!this.#knowsAudience(audience)) {
      throw refuse(
        500011,
        `The resource principal named ${audience} was not found in the tenant named ${tenantId}. This can happen if the application has not been installed by the administrator of the tenant or consented to by any user in the tenant.`,
      );
    }
    return await this.#issue(exchange, principal, audience, tenantId, byScope);
  }

  /** The kind of the client assertion, which names one of the endpoints as its audience. */
  async #verifyAssertion(form: URLSearchParams, principal: Principal, endpoints: readonly string[], refuse: Refuse) {
    const assertion = form.get('client_assertion');
    if (!assertion) {
      throw refuse(
        7000216,
        "'client_assertion', 'client_secret' or 'request' is required for the 'client_credentials' grant type.",
      );
    }
    if (form.get('client_assertion_type') !== assertionType) {
      throw refuse(900144, "The request body must contain the following parameter: 'client_assertion_type'.");
    }
    const proof = await this.#deps.assertions.verify(assertion, principal, endpoints);
    if (typeof proof !== 'string') throw refuse(proof.number, proof.message);
    return proof;
  }

  async #issue(
    exchange: Exchange,
    principal: Principal,
    audience: string,
    tenantId: string,
    byScope: boolean,
  ): Promise<Reply> {
    const lifetime = this.#deps.settings.tokenLifetimeSeconds;
    const issued = await this.#deps.tokens.issue(
      {
        tenantId,
        clientId: principal.clientId,
        objectId: principal.objectId,
        audience,
        proof: exchange.entry.credential === 'secret' ? '1' : '2',
        ...(principal.resourceId ? { identityResourceId: principal.resourceId } : {}),
      },
      this.#deps.clock.now(),
      lifetime,
    );
    exchange.entry.tokenId = issued.tokenId;
    // Answers to `resource` have strings for numbers.
    const body: Json = byScope
      ? { token_type: 'Bearer', expires_in: lifetime, ext_expires_in: lifetime, access_token: issued.token }
      : {
          token_type: 'Bearer',
          expires_in: String(lifetime),
          ext_expires_in: String(lifetime),
          expires_on: String(issued.expiresOn),
          not_before: String(issued.notBefore),
          resource: audience,
          access_token: issued.token,
        };
    return { status: 200, headers: { 'cache-control': 'no-store, no-cache', pragma: 'no-cache' }, body };
  }

  #audienceOfScope(scope: string, refuse: (number: 1002012, message: string) => Error): string {
    const scopes = scope.split(' ').filter((word) => word && !['openid', 'profile', 'offline_access'].includes(word));
    const match = scopes.length === 1 ? /^(.+)\/\.default$/.exec(scopes[0] ?? '') : null;
    if (!match?.[1]) {
      throw refuse(
        1002012,
        `The provided value for scope ${scope} is not valid. Client credential flows must have a scope value with /.default suffixed to the resource identifier (application ID URI).`,
      );
    }
    return match[1];
  }

  #checkSecret(
    principal: Principal,
    secret: string,
    refuse: (number: 7000215 | 7000222, message: string) => Error,
  ): void {
    const given = Buffer.from(secret);
    const found = (principal.app?.secrets ?? []).find(({ value }) => {
      const known = Buffer.from(value);
      return known.length === given.length && timingSafeEqual(known, given);
    });
    if (!found) {
      throw refuse(
        7000215,
        `Invalid client secret provided. Ensure the secret being sent in the request is the client secret value, not the client secret ID, for a secret added to app '${principal.clientId}'.`,
      );
    }
    if (found.expiresAt !== undefined && found.expiresAt <= this.#deps.clock.now()) {
      throw refuse(7000222, `The provided client secret keys for app '${principal.clientId}' are expired.`);
    }
  }

  #knowsAudience(audience: string): boolean {
    const plain = audience.replace(/\/+$/, '').toLowerCase();
    return (
      wellKnownAudiences.includes(plain) ||
      this.#deps.audiences().some((known) => known.replace(/\/+$/, '').toLowerCase() === plain) ||
      Object.values(this.#deps.state.apps).some((app) => [app.clientId, `api://${app.clientId}`].includes(plain))
    );
  }
}

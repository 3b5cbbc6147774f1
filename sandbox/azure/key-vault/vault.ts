import type { Clock } from '../../../runtime/base/clock.ts';
import { isObject } from '../../../runtime/base/json.ts';
import type { StoredResource } from '../arm/resources/stored-resources.ts';
import { bearer } from '../bearer.ts';
import { issuerOf, type TokenIssuer } from '../entra/tokens.ts';
import { type Exchange, queryOf, type Refusal, type Reply, refuse } from '../exchange.ts';
import type { Ids } from '../ids.ts';
import type { Json } from '../json.ts';
import type { SandboxState, VaultCollection } from '../state.ts';
import { demandAccess, type VaultCaller } from './access.ts';
import { certificatePaths, deletedCertificatePaths } from './certificates/certificates.ts';
import { deletedKeyPaths, keyPaths } from './keys.ts';
import { deletedSecretPaths, secretPaths } from './secrets.ts';
import type { VaultOutages } from './vault-outages.ts';
import { badParameter, type VaultHandler, type VaultRequest } from './vault-request.ts';

/** The dependencies that the Key Vault data plane uses. */
export interface VaultDeps {
  readonly state: SandboxState;
  readonly tokens: TokenIssuer;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly operationMs: () => number;
  readonly outages: VaultOutages;
  /** Where clients get tokens: the authority with the tenant. */
  readonly authority: () => string;
}

const vaultType = 'microsoft.keyvault/vaults';
const hostSuffix = '.vault.localhost';
/** Names tokens may have as their audience. */
const audiences = ['https://vault.azure.net', 'https://vault.localhost'];

const handlers: Readonly<Record<string, readonly [VaultCollection, VaultHandler]>> = {
  secrets: ['secrets', secretPaths],
  deletedsecrets: ['secrets', deletedSecretPaths],
  keys: ['keys', keyPaths],
  deletedkeys: ['keys', deletedKeyPaths],
  certificates: ['certificates', certificatePaths],
  deletedcertificates: ['certificates', deletedCertificatePaths],
};

/** Words that are no names of objects. */
const reserved = new Set(['restore', 'issuers', 'contacts']);

/** Key Vault's data plane: every vault at a port of its own, and all of them at `<vault>.vault.localhost` of a shared one. */
export class VaultService {
  readonly #deps: VaultDeps;

  constructor(deps: VaultDeps) {
    this.#deps = deps;
  }

  /** Answers for one vault, or for the one the Host header names. */
  handler(vaultName?: string) {
    return (exchange: Exchange): Promise<Reply> => this.#handle(exchange, vaultName ?? nameInHost(exchange.host));
  }

  async #handle(exchange: Exchange, vaultName: string | undefined): Promise<Reply> {
    const { state, clock, ids } = this.#deps;
    const away = vaultName === undefined ? undefined : this.#deps.outages.of(vaultName);
    if (away === 'unreachable') return { status: 0 };
    if (away === 'unavailable') throw refuse(503, 'ServiceUnavailable', 'The service is temporarily unavailable.');
    const caller = await this.#authenticate(exchange);
    const resource = vaultName === undefined ? undefined : this.#resource(vaultName);
    const vault = vaultName === undefined ? undefined : state.vaults[vaultName.toLowerCase()];
    if (!resource || !vault)
      throw refuse(404, 'VaultNotFound', `The vault '${vaultName ?? exchange.host}' does not exist.`);
    const apiVersion = queryOf(exchange, 'api-version');
    if (!apiVersion) throw badParameter('api-version must be specified');
    exchange.entry.apiVersion = apiVersion;
    const [first = '', ...rest] = exchange.segments;
    const [collection, handle] = handlers[first.toLowerCase()] ?? [];
    const now = clock.now();
    if (collection && handle) {
      if (rest[0] !== undefined && !reserved.has(rest[0]) && !/^[0-9a-zA-Z-]{1,127}$/.test(rest[0])) {
        throw badParameter(
          `The request URI contains an invalid name: ${rest[0]}. Names hold 1 to 127 letters, digits and hyphens.`,
        );
      }
      const request: VaultRequest = {
        exchange,
        vault,
        resource,
        ids,
        now,
        ca: state.ca,
        operationMs: this.#deps.operationMs(),
        body: bodyOf(exchange),
        rest,
        demand: (permission, name) => demandAccess(state, resource, caller, permission, name),
      };
      const reply = await handle(request);
      if (reply) return { ...reply, headers: { ...standardHeaders(resource), ...reply.headers } };
    }
    throw badParameter(`Invalid request: ${exchange.method} ${exchange.url.pathname} is not supported.`);
  }

  #resource(name: string): StoredResource | undefined {
    return this.#deps.state.resources.ofType(vaultType).find((each) => each.name.toLowerCase() === name.toLowerCase());
  }

  async #authenticate(exchange: Exchange): Promise<VaultCaller> {
    const token = bearer(exchange);
    const unauthorized = (message: string): Refusal => {
      const named = nameInHost(exchange.host) !== undefined;
      const challenge = `Bearer authorization="${this.#deps.authority()}", resource="${named ? audiences[1] : audiences[0]}"`;
      return refuse(401, 'Unauthorized', message, {}, { 'www-authenticate': challenge });
    };
    if (!token) throw unauthorized('AKV10000: Request is missing a Bearer or PoP token.');
    const claims = await this.#deps.tokens.tryVerify(token);
    if (!claims) throw unauthorized('AKV10023: Invalid token: its signature is not that of the issuer.');
    const { entry } = exchange;
    entry.tokenId = String(claims['uti']);
    entry.clientId = String(claims['appid']);
    entry.principalId = String(claims['oid']);
    entry.audience = String(claims['aud']);
    // Clients that build it from the suffix of the cloud add the port.
    if (!audiences.includes(entry.audience.replace(/(:\d+)?\/*$/, ''))) {
      throw unauthorized(`AKV10022: Invalid audience. Expected ${audiences.join(', ')}, found: ${entry.audience}.`);
    }
    if (Number(claims['exp']) * 1000 <= this.#deps.clock.now()) {
      throw unauthorized('AKV10048: Token validation failed: the token is expired.');
    }
    return { clientId: entry.clientId, objectId: entry.principalId, issuer: issuerOf(String(claims['tid'])) };
  }
}

/** `<vault>.vault.localhost:port` names its vault. */
export function nameInHost(host: string): string | undefined {
  const name = host.replace(/:\d+$/, '').toLowerCase();
  return name.endsWith(hostSuffix) ? name.slice(0, -hostSuffix.length) : undefined;
}

const standardHeaders = (vault: StoredResource) => ({
  'x-ms-keyvault-region': String(vault.body['location']),
  'x-ms-keyvault-service-version': '1.9.2155.1',
  'x-ms-keyvault-network-info': 'conn_type=Ipv4;addr=127.0.0.1;act_addr_fam=InterNetwork;',
});

function bodyOf(exchange: Exchange): Json {
  if (exchange.body.length === 0) return {};
  try {
    const body: unknown = JSON.parse(exchange.body.toString('utf8'));
    if (isObject(body)) return body;
  } catch {
    // Refused below.
  }
  throw badParameter('The request body is not a JSON object.');
}

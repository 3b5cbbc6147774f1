import type { Clock } from '../../../runtime/base/clock.ts';
import type { Directory, Principal } from '../entra/directory.ts';
import type { TokenIssuer } from '../entra/tokens.ts';
import { type Exchange, Refusal, type Reply } from '../exchange.ts';
import type { Ids } from '../ids.ts';
import type { KeyAndCertificate } from '../pki.ts';
import type { SandboxState } from '../state.ts';
import { AttestedDocuments } from './attested-documents.ts';
import { type MachineSettings, machineOf } from './machine.ts';

/** Settings of the instance metadata service (IMDS). */
export interface ImdsSettings extends MachineSettings {
  /** Seconds a managed identity's token is valid. @default 86399 */
  tokenLifetimeSeconds: number;
  /** Name of the certificate that signs attested documents. @default metadata.azure.com */
  attestedName: string;
  /** Seconds an attested document is valid. @default 21600 */
  attestedSeconds: number;
}

const bad = (status: number, error: string, description: string) =>
  new Refusal(error, { status, body: { error, error_description: description } });

/** The instance metadata service of one machine. */
export class Imds {
  readonly settings: ImdsSettings;
  readonly #state: SandboxState;
  readonly #directory: Directory;
  readonly #tokens: TokenIssuer;
  readonly #clock: Clock;
  readonly #attested: AttestedDocuments;

  constructor(parts: {
    settings: ImdsSettings;
    state: SandboxState;
    directory: Directory;
    tokens: TokenIssuer;
    clock: Clock;
    ids: Ids;
    ca: KeyAndCertificate;
  }) {
    this.settings = parts.settings;
    this.#state = parts.state;
    this.#directory = parts.directory;
    this.#tokens = parts.tokens;
    this.#clock = parts.clock;
    this.#attested = new AttestedDocuments(parts.ca, parts.ids);
  }

  readonly handle = async (exchange: Exchange): Promise<Reply> => {
    const path = `/${exchange.segments.join('/')}`.toLowerCase();
    if (!path.startsWith('/metadata'))
      return { status: 404, headers: { 'content-type': 'text/html' }, body: '<html>404</html>' };
    if (exchange.headers['metadata']?.toLowerCase() !== 'true') {
      throw bad(400, 'invalid_request', 'Required metadata header not specified');
    }
    if (exchange.headers['x-forwarded-for'] !== undefined) {
      throw bad(
        400,
        'invalid_request',
        'Required metadata header not specified or an unsupported header (X-Forwarded-For) is present',
      );
    }
    if (exchange.method !== 'GET') throw bad(405, 'method_not_allowed', `The method ${exchange.method} is not allowed`);
    if (path === '/metadata/identity/oauth2/token') return await this.#token(exchange);
    if (path === '/metadata/attested/document') return await this.#document(exchange);
    if (path === '/metadata/instance' || path.startsWith('/metadata/instance/')) return this.#instance(exchange);
    throw bad(404, 'not_found', `The path ${exchange.url.pathname} does not exist`);
  };

  async #token(exchange: Exchange): Promise<Reply> {
    const { entry, query } = exchange;
    const version = query.get('api-version');
    if (!version) throw bad(400, 'invalid_request', 'Required query variable api-version not specified');
    if (!/^\d{4}-\d{2}-\d{2}$/.test(version) || version < '2018-02-01') {
      throw bad(
        400,
        'invalid_request',
        `Unsupported api-version '${version}'. Supported versions begin with '2018-02-01'`,
      );
    }
    entry.apiVersion = version;
    entry.grantType = 'managed_identity';
    const resource = query.get('resource');
    if (!resource) throw bad(400, 'invalid_request', 'Required query variable resource not specified');
    const principal = this.#identity(query);
    const audience = resource;
    entry.audience = audience;
    entry.clientId = principal.clientId;
    entry.principalId = principal.objectId;
    entry.credential = 'managedIdentity';
    const machine = machineOf(this.settings, this.#state).id;
    const issued = await this.#tokens.issue(
      {
        tenantId: principal.tenantId,
        clientId: principal.clientId,
        objectId: principal.objectId,
        audience,
        proof: '2',
        ...(principal.resourceId ? { identityResourceId: principal.resourceId } : {}),
        ...(machine !== undefined && principal.resourceId !== machine ? { machineResourceId: machine } : {}),
      },
      this.#clock.now(),
      this.settings.tokenLifetimeSeconds,
    );
    entry.tokenId = issued.tokenId;
    return {
      status: 200,
      headers: { server: 'IMDS/150.870.65.1854' },
      body: {
        access_token: issued.token,
        client_id: principal.clientId,
        expires_in: String(this.settings.tokenLifetimeSeconds),
        expires_on: String(issued.expiresOn),
        ext_expires_in: String(this.settings.tokenLifetimeSeconds),
        not_before: String(issued.notBefore),
        resource,
        token_type: 'Bearer',
      },
    };
  }

  /** At most one of client_id, object_id and msi_res_id chooses; without one there must be no doubt. */
  #identity(query: URLSearchParams): Principal {
    const clientId = query.get('client_id');
    const objectId = query.get('object_id');
    const resourceId = query.get('msi_res_id') ?? query.get('mi_res_id');
    if ([clientId, objectId, resourceId].filter(Boolean).length > 1) {
      throw bad(400, 'invalid_request', 'Only one of client_id, object_id and msi_res_id may be specified');
    }
    const served = this.#served();
    const same = (a: string | undefined, b: string | null) => b !== null && a?.toLowerCase() === b.toLowerCase();
    if (clientId || objectId || resourceId) {
      const found = served.find(
        (principal) =>
          same(principal.clientId, clientId) ||
          same(principal.objectId, objectId) ||
          same(principal.resourceId, resourceId),
      );
      if (!found) throw bad(400, 'invalid_request', 'Identity not found');
      return found;
    }
    const system = this.#state.machineIdentities.find(({ systemAssigned }) => systemAssigned);
    const own = this.#system();
    const chosen = own
      ? own
      : system
        ? served.find(({ clientId: id }) => id === system.clientId)
        : served.length === 1
          ? served[0]
          : undefined;
    if (chosen) return chosen;
    throw bad(
      400,
      'invalid_request',
      served.length === 0
        ? 'Identity not found'
        : 'Multiple user assigned identities exist, please specify the clientId / resourceId of the identity in the token request',
    );
  }

  /** The system-assigned identity of the machine in ARM that this is. */
  #system(): Principal | undefined {
    const { id } = machineOf(this.settings, this.#state);
    return id === undefined ? undefined : this.#directory.systemIdentity(id);
  }

  #served(): Principal[] {
    const clientIds = this.#assigned();
    const own = this.#system();
    const others = this.#directory
      .principals()
      .filter((principal) => !principal.app)
      .filter(({ clientId }) => {
        const added = this.#state.machineIdentities.some((identity) => identity.clientId === clientId);
        return added || !clientIds || clientIds.some((id) => same(id, clientId));
      });
    return own ? [own, ...others] : others;
  }

  /** Client ids of the identities that the machine has; undefined for all. */
  #assigned(): string[] | undefined {
    const { identities } = this.settings;
    if (identities === 'all') return undefined;
    if (Array.isArray(identities)) return identities;
    const { userAssigned } = machineOf(this.settings, this.#state);
    return userAssigned.flatMap((id) => this.#directory.byResourceId(id)?.clientId ?? []);
  }

  async #document(exchange: Exchange): Promise<Reply> {
    const { query } = exchange;
    if (!query.get('api-version')) throw bad(400, 'Bad request', 'api-version was not specified in the request');
    const nonce = query.get('nonce');
    if (nonce !== null && !/^\d{1,10}$/.test(nonce)) {
      throw bad(400, 'Bad request', 'nonce must be a number of at most 10 digits');
    }
    const { vmId, subscriptionId, size } = machineOf(this.settings, this.#state);
    const body = await this.#attested.document({
      name: this.settings.attestedName,
      now: this.#clock.now(),
      seconds: this.settings.attestedSeconds,
      vmId,
      subscriptionId,
      sku: size,
      ...(nonce === null ? {} : { nonce }),
    });
    return { status: 200, body };
  }

  #instance(exchange: Exchange): Reply {
    if (!exchange.query.get('api-version')) {
      return {
        status: 400,
        body: {
          error: 'Bad request. api-version was not specified in the request',
          'newest-versions': ['2023-07-01', '2021-12-13', '2021-02-01'],
        },
      };
    }
    const machine = machineOf(this.settings, this.#state);
    const document: unknown = {
      compute: {
        azEnvironment: 'AzurePublicCloud',
        location: machine.location,
        name: machine.name,
        osType: 'Linux',
        provider: 'Microsoft.Compute',
        resourceGroupName: machine.resourceGroup,
        resourceId: machine.resourceId,
        subscriptionId: machine.subscriptionId,
        vmId: machine.vmId,
        vmSize: machine.size,
        zone: '1',
      },
      network: { interface: [] },
    };
    const found = exchange.segments
      .slice(2)
      .reduce<unknown>((value, name) => (value as Record<string, unknown> | undefined)?.[name], document);
    if (found === undefined) return { status: 404, body: { error: 'Not found' } };
    const text = exchange.query.get('format') === 'text' && typeof found !== 'object';
    return { status: 200, headers: text ? { 'content-type': 'text/plain' } : {}, body: text ? String(found) : found };
  }
}

const same = (a: string, b: string) => a.toLowerCase() === b.toLowerCase();

import { randomBytes } from 'node:crypto';
import { managedSecretsFeature } from '../../runtime/api/machines/features.ts';
import type { ManagedSecretSpec } from '../../runtime/api/machines/managed-secret-spec.ts';
import { createArmClient } from '../../runtime/azure/arm/client.ts';
import { type AzureDeps, createAzureDeps } from '../../runtime/azure/azure-deps.ts';
import { authorizerFromEnvironment } from '../../runtime/azure/identity/credential-from-environment.ts';
import { KeyVault } from '../../runtime/azure/key-vault/client.ts';
import { ManualClock } from '../../runtime/base/clock.ts';
import { createDispatcher, type Dispatcher } from '../../runtime/base/http/client.ts';
import { HealthServer } from '../../runtime/base/observability/health.ts';
import { createMetrics, type Metrics } from '../../runtime/base/observability/metrics.ts';
import { tagsOf, vaultSecretName } from '../../runtime/compute/managed-secrets/vault-tags.ts';
import type { KubeObject } from '../../runtime/kube/client/types.ts';
import { Manager } from '../../runtime/kube/controller/manager.ts';
import { secretsConfig } from '../../runtime/secrets/config.ts';
import { createSecretEndpoint, type SecretEndpoint } from '../../runtime/secrets/endpoint.ts';
import { approvalWatch, type GateApproval, registrationWatch } from '../../runtime/secrets/secrets/feature-gates.ts';
import { managedSecretType } from '../../runtime/secrets/secrets/managed-secrets.ts';
import { startEmbeddedAzure } from '../../sandbox/azure/azure.ts';
import type { EmbeddedAzure } from '../../sandbox/azure/embedded-azure.ts';
import { serverCertificate } from '../fakes/certificates.ts';
import { runtimeOf } from '../fakes/kube-objects.ts';
import { LocalKube } from '../fakes/local-kube.ts';
import { type Scratch, scratch } from '../fakes/scratch.ts';
import { TestClient } from '../sandbox/azure/client.ts';

export const audience = 'api://azimuth-secrets';

export interface Identity {
  readonly armId: string;
  readonly objectId: string;
  readonly clientId: string;
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: an answer of any form
  readonly body: any;
}

/** One running replica. */
export interface Replica {
  readonly endpoint: SecretEndpoint;
  readonly metrics: Metrics;
  readonly lines: string[];
  readonly ready: () => Promise<string>;
  get(path: string, headers?: Record<string, string>, method?: string, body?: string): Promise<Answer>;
  stop(): Promise<void>;
}

/** Embedded Azure with vaults in two regions, a cluster in memory, and replicas of the endpoint, on one manual clock. */
export class EndpointWorld {
  readonly clock: ManualClock;
  readonly kube = new LocalKube();
  readonly azure: EmbeddedAzure;
  readonly rest: TestClient;
  readonly directory: Scratch = scratch();
  #approved = 0;
  readonly #deps: AzureDeps;
  readonly #replicas = new Set<Replica>();
  readonly #imds: Dispatcher = createDispatcher({ proxy: 'none' });

  private constructor(clock: ManualClock, azure: EmbeddedAzure) {
    this.clock = clock;
    this.azure = azure;
    this.rest = new TestClient(azure);
    this.#deps = createAzureDeps(this.#env(), { clock, http: { proxy: 'none', ca: azure.caPem } });
  }

  static async start(): Promise<EndpointWorld> {
    const clock = new ManualClock(Math.floor(Date.now() / 1000) * 1000);
    const azure = await startEmbeddedAzure({ clock, arm: { operationMs: 0 }, audiences: [audience] });
    const world = new EndpointWorld(clock, azure);
    await world.rest.arm('PUT', world.group, '2021-04-01', { location: 'westus2' });
    for (const name of ['kvhome', 'kvwest', 'kvother']) {
      await world.rest.arm('PUT', world.vaultId(name), '2023-07-01', {
        location: 'westus2',
        properties: {
          tenantId: azure.tenantId,
          sku: { family: 'A', name: 'standard' },
          enableRbacAuthorization: true,
        },
      });
      azure.assignRole(azure.defaultApp.objectId, 'Key Vault Administrator', world.vaultId(name));
    }
    await world.approve();
    return world;
  }

  /** Approves managed secrets in a subscription, or another feature of it. Returns the name of both objects. */
  async approve(subscription = this.azure.subscriptionId, feature = managedSecretsFeature): Promise<string> {
    const name = `approved-${this.#approved++}`;
    const apiVersion = 'azimuth.dev/v1alpha1';
    const { kind } = registrationWatch.type;
    const registration = { apiVersion, kind, metadata: { name }, spec: { subscription, feature } };
    await this.kube.create(registrationWatch.type, registration);
    await this.consent(name, { for: { name } });
    return name;
  }

  /** Creates a FeatureApproval. */
  async consent(name: string, spec: GateApproval['spec']): Promise<void> {
    const { type } = approvalWatch;
    const approval = { apiVersion: 'azimuth.dev/v1alpha1', kind: type.kind, metadata: { name }, spec };
    await this.kube.create(type, approval);
  }

  get group(): string {
    return `/subscriptions/${this.azure.subscriptionId}/resourceGroups/secrets`;
  }

  vaultId(name: string): string {
    return `${this.group}/providers/Microsoft.KeyVault/vaults/${name}`;
  }

  #env(): Record<string, string> {
    return { ...this.azure.env(), AZURE_KEYVAULT_DNS_SUFFIX: this.azure.endpoints.vaultSuffix };
  }

  /** A group that the endpoint may read, in a subscription of its own. */
  async otherGroup(): Promise<string> {
    const { subscriptionId } = this.azure.addSubscription();
    this.azure.assignRole(this.azure.defaultApp.objectId, 'Owner', `/subscriptions/${subscriptionId}`);
    const group = `/subscriptions/${subscriptionId}/resourceGroups/secrets`;
    await this.rest.arm('PUT', group, '2021-04-01', { location: 'westus2' });
    return group;
  }

  async identity(name: string, group = this.group): Promise<Identity> {
    const armId = `${group}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/${name}`;
    const { body } = await this.rest.arm('PUT', armId, '2023-01-31', { location: 'westus2' });
    const { principalId, clientId } = (body as { properties: Record<string, string> }).properties;
    return { armId, objectId: principalId as string, clientId: clientId as string };
  }

  /** A token of the metadata endpoint. */
  async token({ clientId }: Identity, resource = audience): Promise<string> {
    const query = new URLSearchParams({ 'api-version': '2018-02-01', resource, client_id: clientId });
    const { body, statusCode } = await this.#imds.request({
      origin: this.azure.endpoints.imds,
      path: `/metadata/identity/oauth2/token?${query}`,
      headers: { metadata: 'true' },
    });
    const text = await body.text();
    if (statusCode !== 200) throw new Error(text);
    return (JSON.parse(text) as { access_token: string }).access_token;
  }

  async secret(namespace: string, name: string, spec: Partial<ManagedSecretSpec>): Promise<KubeObject> {
    const home = { vault: { armId: this.vaultId('kvhome') } };
    return await this.kube.create(managedSecretType, {
      apiVersion: 'azimuth.dev/v1alpha1',
      kind: 'ManagedSecret',
      metadata: { namespace, name },
      spec: { kind: 'SymmetricKey', home, ...spec },
    });
  }

  vault(name: string): KeyVault {
    const { authorizer } = authorizerFromEnvironment(this.#env(), this.#deps);
    return new KeyVault({ ...this.#deps, vault: name, authorizer });
  }

  /** Writes a version as the operator does. */
  async write(object: KubeObject, number: number, value: string, vault = 'kvhome', named?: string): Promise<void> {
    const { namespace = '', name, uid = '' } = object.metadata;
    const owner = { namespace, name, uid };
    const hash = Buffer.from(value.padEnd(8)).toString('hex').slice(0, 16);
    const tags = tagsOf(owner, { number, hash, created: this.clock.now() });
    await this.vault(vault).setSecret(vaultSecretName(owner, named), { value, contentType: 'text/plain', tags });
  }

  async replica(args: readonly string[] = [], options: { certificate?: boolean } = {}): Promise<Replica> {
    const { cert, key, ca } = serverCertificate();
    const directory = randomBytes(4).toString('hex');
    const files = {
      cert: `${this.directory.path}/${directory}/tls.crt`,
      key: `${this.directory.path}/${directory}/tls.key`,
    };
    if (options.certificate !== false) {
      this.directory.write(`${directory}/tls.crt`, cert);
      this.directory.write(`${directory}/tls.key`, key);
    }
    const given = [`--tenant=${this.azure.tenantId}`, `--audience=${audience}`, '--port=0', '--address=127.0.0.1'];
    const tls = [`--tls-cert-file=${files.cert}`, `--tls-key-file=${files.key}`];
    const config = secretsConfig([...given, ...tls, ...args], {});
    if ('help' in config) throw new Error('help');
    const metrics = createMetrics();
    const health = new HealthServer(metrics);
    const manager = new Manager(
      { ...runtimeOf(this.kube, this.clock), metrics },
      { name: 'secrets', health, flushMs: 0 },
    );
    const lines: string[] = [];
    const { authorizer } = authorizerFromEnvironment(this.#env(), this.#deps);
    const arm = createArmClient({
      cloud: this.#deps.cloud,
      dispatcher: this.#deps.dispatcher,
      clock: this.clock,
    });
    const endpoint = createSecretEndpoint({
      config,
      manager,
      health,
      azure: this.#deps,
      arm,
      authorizer,
      auditLines: { write: (text) => void lines.push(...text.trimEnd().split('\n')) },
    });
    const healthPort = await health.listen(0, '127.0.0.1');
    const stop = new AbortController();
    const ended = endpoint.run(stop.signal);
    const dispatcher = createDispatcher({ ca, proxy: 'none', connections: 0 });
    const replica: Replica = {
      endpoint,
      metrics,
      lines,
      ready: async () => {
        const { body } = await this.#imds.request({ origin: `http://127.0.0.1:${healthPort}`, path: '/readyz' });
        return await body.text();
      },
      get: async (path, headers = {}, method = 'GET', sent) => {
        const origin = `https://127.0.0.1:${await endpoint.listening}`;
        const answer = await dispatcher.request({ origin, path, headers, method, body: sent ?? null });
        const text = await answer.body.text();
        return {
          status: answer.statusCode,
          headers: answer.headers,
          text,
          body: text.startsWith('{') ? (JSON.parse(text) as unknown) : undefined,
        };
      },
      stop: async () => {
        this.#replicas.delete(replica);
        stop.abort();
        await ended;
        await Promise.all([dispatcher.close(), health.close()]);
      },
    };
    this.#replicas.add(replica);
    return replica;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this.#replicas].map((each) => each.stop()));
    await this.#imds.close();
    await this.#deps.close();
    await this.azure.close();
    this.directory.remove();
  }
}

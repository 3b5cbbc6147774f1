import type { AzureContext } from '../azure/azure-context.ts';
import type { ArmClient, Authorizer } from '../azure/types.ts';
import { readBoundedTextSync } from '../base/bounded-file.ts';
import { expected } from '../base/errors.ts';
import type { HealthServer } from '../base/observability/health.ts';
import type { LineDestination } from '../base/observability/log.ts';
import { pemBlocks } from '../base/x509/pem.ts';
import { Controller } from '../kube/controller/controller.ts';
import type { Manager } from '../kube/controller/manager.ts';
import { wantedChanged } from '../kube/controller/mappers.ts';
import { AttestedDocuments } from './attestation/attested-documents.ts';
import { IssuerCertificates } from './attestation/issuer-certificates.ts';
import { NonceKeys } from './attestation/nonce-keys.ts';
import { Nonces } from './attestation/nonces.ts';
import { SecretAudit } from './audit.ts';
import type { SecretsConfig } from './config.ts';
import { Consumers } from './consumers/consumers.ts';
import { MachineReader } from './consumers/machine-reader.ts';
import { PrincipalCache } from './consumers/principal-cache.ts';
import { CallerLimits } from './http/caller-limits.ts';
import { certificateFiles, managedCertificate } from './http/certificate-source.ts';
import { SecretServer } from './http/secret-server.ts';
import { SecretService } from './http/secret-service.ts';
import { ServingCertificate } from './http/serving-certificate.ts';
import { ClusterContact } from './secrets/cluster-contact.ts';
import { approvalWatch, FeatureGates, registrationWatch } from './secrets/feature-gates.ts';
import { HeldSecrets } from './secrets/held-secrets.ts';
import { type EndpointSecret, isServed, managedSecretWatch } from './secrets/managed-secrets.ts';
import { References } from './secrets/references.ts';
import { SecretReader } from './secrets/secret-reader.ts';
import { pooledAuthorizer, VaultAccess } from './secrets/vault-access.ts';
import { SecretsMetrics } from './secrets-metrics.ts';
import { SigningKeys } from './tokens/signing-keys.ts';
import { TokenVerifier } from './tokens/token-verifier.ts';

/** Parts of the endpoint that its program creates, and that tests replace. */
export interface EndpointParts {
  readonly config: SecretsConfig;
  readonly manager: Manager;
  readonly health: HealthServer;
  readonly azure: Pick<AzureContext, 'cloud' | 'dispatcher' | 'clock'>;
  readonly arm: ArmClient;
  /** The endpoint's own credential. */
  readonly authorizer: Authorizer;
  readonly auditLines: LineDestination;
}

/** The secret endpoint, wired and not yet started. */
export interface SecretEndpoint {
  readonly held: HeldSecrets;
  /** Resolves to the HTTPS port once it listens, which it does when its certificate is there. */
  readonly listening: Promise<number>;
  /** Serves until the signal aborts. */
  run(stop: AbortSignal): Promise<void>;
}

/** Wires the endpoint from its parts. Starts nothing. Throws AZ_CONFIG_INVALID for a file of roots that has none. */
export function createSecretEndpoint(parts: EndpointParts): SecretEndpoint {
  const { config, manager, health, azure, arm, auditLines } = parts;
  const { clock, log, metrics: registry, client } = manager.runtime;
  const authorizer = pooledAuthorizer(parts.authorizer, clock);
  const objects = manager.watch<EndpointSecret>(managedSecretWatch(config.targetNamespaces));
  const registrations = manager.watch(registrationWatch);
  const approvals = manager.watch(approvalWatch);
  const gates = new FeatureGates({ registrations, approvals, clock, feature: config.managedSecretsFeature });
  const contact = new ClusterContact([objects, registrations, approvals], clock);
  manager.addTask((stop) => contact.run(stop));
  const references = new References({ client, scopes: config.credentialScopes });
  const vaults = new VaultAccess(azure, authorizer);
  const reader = new SecretReader({ references, vaults, location: config.location, now: () => clock.now() });
  const own = config.tlsManagedSecret;
  const isOwn = ({ metadata }: EndpointSecret) => metadata.namespace === own?.namespace && metadata.name === own?.name;
  const isHeld = (object: EndpointSecret) => isServed(object) || (own !== undefined && isOwn(object));
  const held = new HeldSecrets({ objects, reader, clock, log, refreshMs: config.refreshMs, isHeld });
  const principals = new PrincipalCache({ reader: new MachineReader(arm, authorizer), clock, log });
  const consumers = new Consumers({ references, principals, log });
  objects.onChange((change) => {
    if (change.type === 'deleted') consumers.forget(change.old);
  });
  manager.addController(
    new Controller(manager.runtime, {
      name: 'managedsecrets.azimuth.dev',
      primary: objects,
      filter: wantedChanged,
      concurrency: 16,
      reconcile: async (request, signal) => {
        const object = objects.get(request);
        if (object && isServed(object)) await consumers.prepare(object, signal);
        return await held.reconcile(request, signal);
      },
    }),
  );

  const { tenantId, audiences } = config;
  const keys = new SigningKeys({ cloud: azure.cloud, tenantId, dispatcher: azure.dispatcher, clock, log });
  manager.addTask((stop) => keys.run(stop));
  const issuers =
    config.issuers.length > 0
      ? config.issuers
      : [`https://sts.windows.net/${tenantId}/`, `${azure.cloud.authorityHost}/${tenantId}/v2.0`];
  const verifier = new TokenVerifier({ keys, clock, tenantId, audiences, issuers });

  const metrics = new SecretsMetrics(registry, () => {
    const lost = clock.now() - contact.last().at;
    return held.ages().map((age) => Math.max(age, lost));
  });
  const audit = new SecretAudit({ lines: auditLines, events: manager.events, clock });
  manager.addTask((stop) => audit.run(stop));
  const nonceKeys = new NonceKeys(clock);
  const nonces = new Nonces({ keys: nonceKeys, clock });
  const limits = new CallerLimits({ clock, ...config });
  const documents = new AttestedDocuments({
    nonces,
    clock,
    issuers: new IssuerCertificates(azure.dispatcher),
    roots: config.attestationRoot === undefined ? undefined : rootsIn(config.attestationRoot),
  });
  const service = new SecretService({
    objects,
    held,
    consumers,
    documents,
    gates,
    contact,
    limits,
    audit,
    metrics,
    clock,
  });
  const server = new SecretServer({ verifier, service, nonces, limits, audit, metrics, log });
  const listening = Promise.withResolvers<number>();
  listening.promise.catch(() => undefined);
  let listens = false;
  const certificate = new ServingCertificate({
    source: own
      ? managedCertificate({ objects, held, gates, object: own })
      : certificateFiles(config.tlsCertFile, config.tlsKeyFile),
    clock,
    log,
    async onPair(pair) {
      nonceKeys.use(pair.key);
      if (listens) {
        server.renew(pair);
        return;
      }
      const port = await server.listen(pair, config.port, config.address);
      listens = true;
      log.info({ port }, 'the endpoint listens');
      listening.resolve(port);
    },
  });
  health.addReadiness('certificate', () => certificate.problem());
  health.addReadiness('signing-keys', () => keys.problem());
  health.addReadiness('secrets', () => held.notReady());

  return {
    held,
    listening: listening.promise,
    async run(stop) {
      const serving = certificate.run(stop);
      try {
        await manager.run(stop);
      } finally {
        await serving;
        listening.reject(new Error('the endpoint has stopped'));
        await server.close();
      }
    },
  };
}

function rootsIn(file: string): string[] {
  const blocks = [...pemBlocks(readBoundedTextSync(file))].filter(({ label }) => label === 'CERTIFICATE');
  if (blocks.length > 0) return blocks.map(({ block }) => block);
  throw expected('--attestation-root (AZIMUTH_SECRETS_ATTESTATION_ROOT)', 'a file with certificates in PEM', file);
}

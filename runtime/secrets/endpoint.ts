import { readBoundedTextSync } from '../base/bounded-file.ts';
import { expected } from '../base/errors.ts';
import { pemBlocks } from '../base/x509/pem.ts';
import type { Manager } from '../kube/controller/manager.ts';
import { AttestedDocuments } from './attestation/attested-documents.ts';
import { IssuerCertificates } from './attestation/issuer-certificates.ts';
import { NonceKeys } from './attestation/nonce-keys.ts';
import { Nonces } from './attestation/nonces.ts';
import { SecretAudit } from './audit.ts';
import type { SecretsDeps } from './endpoint-deps.ts';
import { CallerLimits } from './http/caller-limits.ts';
import { type CertificateSource, certificateFiles, managedCertificate } from './http/certificate-source.ts';
import { SecretListener } from './http/secret-listener.ts';
import { SecretServer } from './http/secret-server.ts';
import { SecretService } from './http/secret-service.ts';
import type { HeldSecrets } from './secrets/held-secrets.ts';
import { PemValues } from './secrets/pem-values.ts';
import { SecretsMetrics } from './secrets-metrics.ts';
import { type ServedSecrets, serveSecrets, type WatchedObjects, watchObjects } from './served-secrets.ts';
import { SigningKeys } from './tokens/signing-keys.ts';
import { TokenVerifier } from './tokens/token-verifier.ts';

/** The secret endpoint, wired and not yet started. */
export interface SecretEndpoint {
  readonly held: HeldSecrets;
  /** Resolves to the HTTPS port once it listens, which it does when its certificate is there. */
  readonly listening: Promise<number>;
  /** Serves until the signal aborts. */
  run(stop: AbortSignal): Promise<void>;
}

/** Wires the endpoint from its parts. Starts nothing. Throws AZ_CONFIG_INVALID for a file of roots that has none. */
export function createSecretEndpoint(deps: SecretsDeps): SecretEndpoint {
  const { config, manager, health } = deps;
  const { clock, log } = manager.runtime;
  const watched = watchObjects(manager, config);
  const secrets = serveSecrets(deps, watched);
  const keys = signingKeys(deps);
  const nonceKeys = new NonceKeys(clock);
  const listener = new SecretListener({
    server: secretServer(deps, { watched, secrets, keys, nonceKeys }),
    source: certificateSource(deps, watched, secrets),
    port: config.port,
    address: config.address,
    onKey: (key) => nonceKeys.use(key),
    clock,
    log,
  });
  health.addReadiness('certificate', () => listener.problem());
  health.addReadiness('signing-keys', () => keys.problem());
  health.addReadiness('secrets', () => secrets.held.notReady());
  return running(manager, listener, secrets.held);
}

/** The keys with which Microsoft Entra ID signs tokens of the tenant. */
function signingKeys({ config, manager, azure }: SecretsDeps): SigningKeys {
  const { clock, log } = manager.runtime;
  const { cloud, dispatcher } = azure;
  const keys = new SigningKeys({ cloud, tenantId: config.tenantId, dispatcher, clock, log });
  manager.addTask((stop) => keys.run(stop));
  return keys;
}

/** The HTTPS server: it checks tokens and attested documents, limits callers, and audits answers. */
function secretServer(
  deps: SecretsDeps,
  from: {
    readonly watched: WatchedObjects;
    readonly secrets: ServedSecrets;
    readonly keys: SigningKeys;
    readonly nonceKeys: NonceKeys;
  },
): SecretServer {
  const { config, manager, azure, auditLines } = deps;
  const { clock, log, metrics: registry } = manager.runtime;
  const { watched, secrets, keys, nonceKeys } = from;
  const metrics = new SecretsMetrics(registry, () => {
    const lost = clock.now() - watched.contact.last().at;
    return secrets.held.ages().map((age) => Math.max(age, lost));
  });
  const audit = new SecretAudit({ lines: auditLines, events: manager.events, clock });
  manager.addTask((stop) => audit.run(stop));
  const nonces = new Nonces({ keys: nonceKeys, clock });
  const limits = new CallerLimits({ clock, ...config });
  const documents = new AttestedDocuments({
    nonces,
    clock,
    issuers: new IssuerCertificates(azure.dispatcher),
    roots: config.attestationRoot === undefined ? undefined : rootsIn(config.attestationRoot),
  });
  const pem = new PemValues(clock);
  const service = new SecretService({ ...watched, ...secrets, documents, limits, audit, metrics, clock, pem });
  const verifier = tokenVerifier(deps, keys);
  return new SecretServer({ verifier, service, nonces, limits, audit, metrics, log });
}

function tokenVerifier({ config, manager, azure }: SecretsDeps, keys: SigningKeys): TokenVerifier {
  const { tenantId, audiences } = config;
  const issuers =
    config.issuers.length > 0
      ? config.issuers
      : [`https://sts.windows.net/${tenantId}/`, `${azure.cloud.authorityHost}/${tenantId}/v2.0`];
  return new TokenVerifier({ keys, clock: manager.runtime.clock, tenantId, audiences, issuers });
}

function certificateSource(
  { config }: SecretsDeps,
  { objects, gates }: WatchedObjects,
  { held }: ServedSecrets,
): CertificateSource {
  const { tlsManagedSecret: object, tlsCertFile, tlsKeyFile } = config;
  return object ? managedCertificate({ objects, held, gates, object }) : certificateFiles(tlsCertFile, tlsKeyFile);
}

function running(manager: Manager, listener: SecretListener, held: HeldSecrets): SecretEndpoint {
  return {
    held,
    listening: listener.listening,
    async run(stop) {
      const serving = listener.run(stop);
      try {
        await manager.run(stop);
      } finally {
        await serving;
        await listener.close();
      }
    },
  };
}

function rootsIn(file: string): string[] {
  const blocks = [...pemBlocks(readBoundedTextSync(file))].filter(({ label }) => label === 'CERTIFICATE');
  if (blocks.length > 0) return blocks.map(({ block }) => block);
  throw expected('--attestation-root (AZIMUTH_SECRETS_ATTESTATION_ROOT)', 'a file with certificates in PEM', file);
}

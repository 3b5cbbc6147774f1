import { stringify as toYaml } from 'yaml';
import { type Clock, systemClock } from '../../runtime/base/clock.ts';
import { type Logger, silentLogger } from '../../runtime/base/observability/log.ts';
import { Authenticator } from './access/authentication.ts';
import { servingKeys } from './access/certificates.ts';
import { Rbac } from './access/rbac.ts';
import { selfSubjectReview } from './access/reviews.ts';
import { TokenIssuer } from './access/tokens.ts';
import { bootstrap } from './controllers/bootstrap.ts';
import { GarbageCollector } from './controllers/garbage-collector.ts';
import { NamespaceController } from './controllers/namespaces.ts';
import { ResourceRequests } from './http/handlers.ts';
import { Pages } from './http/pages.ts';
import { ApiServer, type AuditEntry } from './http/server.ts';
import { builtinResource, Registry } from './model/resource.ts';
import { Store } from './model/store.ts';
import { behaviours, bucketOf } from './resources/builtin-behaviours.ts';
import { CustomResources } from './resources/custom-resources.ts';
import { builtinTypes, compileSchema } from './schema/index.ts';
import { admission } from './storage/admission.ts';
import { Objects } from './storage/objects.ts';
import { openJournal } from './storage/persistence.ts';

/** Settings of the embedded API server; every member has a default. */
export interface EmbeddedKubeOptions {
  /** @default 0, a free one */
  readonly port?: number;
  /** Time of timestamps and of tokens' expiry. @default the system's */
  readonly clock?: Clock;
  /** Keeps the keys and certificates over a restart. @default in memory, or see `sharedKeysDirectory` */
  readonly dir?: string;
  /** Keeps the objects over a restart and a crash. @default in memory */
  readonly persistFile?: string;
  /** Changes that WATCH and paged LIST can go back. @default 50000 */
  readonly history?: number;
  /** Milliseconds between the bookmarks of a watch. @default 5000 */
  readonly bookmarkMs?: number;
  /** Called for every request with user, action and decision. @default none */
  readonly audit?: (entry: AuditEntry) => void;
  readonly log?: Logger;
}

/** The namespace and name of a service account. */
export interface ServiceAccountKey {
  readonly namespace: string;
  readonly name: string;
}

/** A running embedded API server. */
export interface EmbeddedKube {
  readonly url: string;
  /** YAML; a client certificate of the group system:masters. */
  readonly adminKubeconfig: string;
  /** The same rights as a bearer token. */
  readonly adminToken: string;
  readonly caPem: string;
  /** The `iss` of service account tokens; its discovery documents are served without credentials. */
  readonly issuerUrl: string;
  /** For tests: the state itself. */
  readonly store: Store;
  readonly objects: Objects;
  /** A token of an existing service account. Throws 404. `expirationSeconds` defaults to a year. */
  tokenFor(
    account: ServiceAccountKey,
    options?: { audiences?: readonly string[]; expirationSeconds?: number },
  ): Promise<string>;
  /** A kubeconfig (YAML) with such a token. */
  kubeconfigFor(account: ServiceAccountKey, options?: { expirationSeconds?: number }): Promise<string>;
  /** Ends watches and connections and closes the file. */
  close(): Promise<void>;
}

/** Starts the embedded Kubernetes API on 127.0.0.1. */
export async function startEmbeddedKube(options: EmbeddedKubeOptions = {}): Promise<EmbeddedKube> {
  const clock = options.clock ?? systemClock;
  const keys = servingKeys(options.dir);
  const store = new Store({ history: options.history });
  const registry = builtinRegistry();
  if (options.persistFile) openJournal(options.persistFile, store);
  const server = new ApiServer(keys);
  const url = await server.listen(options.port ?? 0);
  const issuer = new TokenIssuer(url, keys.tokenKey, clock);
  const rbac = new Rbac(store);
  const objects = new Objects(store, registry, clock, admission(store, rbac));
  const administrator = { name: 'kubernetes-admin', groups: ['system:masters'] };
  const staticTokens = new Map([[keys.adminToken, administrator]]);
  const authenticator = new Authenticator({ store, issuer, staticTokens });
  new CustomResources(objects);
  new GarbageCollector(objects);
  new NamespaceController(objects, keys.ca.cert);
  bootstrap(objects);
  // As behind a real server's watch cache, nothing can be watched from before the start.
  store.compact();
  server.open({
    objects,
    authenticator,
    rbac,
    resources: new ResourceRequests(objects, issuer, { rbac, authenticator }),
    pages: new Pages(registry, issuer, url.replace('https://', '')),
    log: options.log ?? silentLogger,
    bookmarkMs: options.bookmarkMs,
    audit: options.audit,
  });

  const kubeconfig = (user: object) => kubeconfigOf(url, keys.ca.cert, user);
  const tokenFor = tokenSource(registry, objects, issuer, url);
  return {
    url,
    adminToken: keys.adminToken,
    caPem: keys.ca.cert,
    issuerUrl: url,
    store,
    objects,
    adminKubeconfig: kubeconfig({
      'client-certificate-data': base64(keys.admin.cert),
      'client-key-data': base64(keys.admin.key),
    }),
    tokenFor,
    kubeconfigFor: async (account, settings) => kubeconfig({ token: await tokenFor(account, settings) }),
    close: async () => {
      await server.close();
      store.close();
    },
  };
}

/** The kinds that every API server has. */
function builtinRegistry(): Registry {
  const registry = new Registry();
  for (const type of [...builtinTypes, selfSubjectReview]) {
    const bucket = bucketOf(type.group, type.plural);
    const behaviour = behaviours[type.group === '' ? type.plural : `${type.plural}.${type.group}`] ?? {};
    const schema = compileSchema(type.schema, { preserveUnknown: type.preserveUnknown });
    // The schemas within a CRD are of a recursive type, and have checks of their own.
    const strict = type.kind === 'CustomResourceDefinition' ? undefined : compileSchema(type.schema);
    registry.set(builtinResource(type, schema, strict, bucket, behaviour));
  }
  return registry;
}

/** Issues tokens of existing service accounts, for the API server itself where no audience is named. */
function tokenSource(registry: Registry, objects: Objects, issuer: TokenIssuer, url: string): EmbeddedKube['tokenFor'] {
  return async ({ namespace, name }, { audiences = [url], expirationSeconds = 365 * 24 * 3600 } = {}) => {
    const resource = registry.byKind('v1', 'ServiceAccount');
    if (!resource) throw new Error('service accounts are not served');
    const { uid } = objects.get({ resource, namespace, name })['metadata'];
    const claims = {
      sub: `system:serviceaccount:${namespace}:${name}`,
      aud: audiences,
      'kubernetes.io': { namespace, serviceaccount: { name, uid } },
    };
    return (await issuer.issue(claims, expirationSeconds)).token;
  };
}

/** A kubeconfig (YAML) of one user. */
function kubeconfigOf(server: string, caPem: string, user: object): string {
  return toYaml({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'sandbox', cluster: { server, 'certificate-authority-data': base64(caPem) } }],
    users: [{ name: 'user', user }],
    contexts: [{ name: 'sandbox', context: { cluster: 'sandbox', user: 'user' } }],
    'current-context': 'sandbox',
  });
}

const base64 = (text: string) => Buffer.from(text).toString('base64');

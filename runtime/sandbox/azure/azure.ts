import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type Clock, systemClock } from '../../base/clock.ts';
import { type Logger, silentLogger } from '../../base/log.ts';
import { Aad } from './aad/aad.ts';
import { ClientAssertions } from './aad/client-assertion.ts';
import { Directory } from './aad/directory.ts';
import { TokenIssuer } from './aad/tokens.ts';
import { type RegisterAppOptions, type RegisteredApp, registerApp } from './apps.ts';
import { Arm } from './arm/arm.ts';
import { type ArmSettings, type Behaviour, type BehaviourContext, defaultArmSettings } from './arm/behaviour.ts';
import { Behaviours } from './arm/behaviours/index.ts';
import { type Bucket, defaultThrottle, Throttle, type ThrottleKind } from './arm/throttle.ts';
import { Faults } from './faults.ts';
import { Ids } from './ids.ts';
import { Imds, type ImdsSettings } from './imds.ts';
import { Journal } from './journal.ts';
import { Listener, type ListenerDeps } from './listener.ts';
import { issueCertificate, type KeyAndCertificate, rsaKeyPair } from './pki.ts';
import { type MachineIdentity, StateStore } from './state.ts';

export interface EmbeddedAzureOptions {
  /** @default a new one, or that of the state file */
  readonly tenantId?: string;
  /** Ids of the subscriptions that exist. @default one new id, or those of the state file */
  readonly subscriptionIds?: readonly string[];
  /** Ports to listen on, on 127.0.0.1. @default 0, which picks free ones */
  readonly ports?: {
    readonly aad?: number;
    readonly arm?: number;
    readonly vault?: number;
    readonly imds?: number;
    readonly admin?: number;
  };
  /** Makes ids, keys and token ids the same in every run. */
  readonly seed?: string;
  /** The sandbox's time: token expiry, operations, throttling. @default the system's */
  readonly clock?: Clock;
  /** JSON file that keeps the state between runs (mode 0600). @default nothing is kept */
  readonly stateFile?: string;
  /** Where the CA's certificate is written. @default a file in a temporary directory that `close` removes */
  readonly caFile?: string;
  readonly arm?: Partial<ArmSettings>;
  readonly imds?: Partial<ImdsSettings>;
  readonly throttle?: Partial<Record<ThrottleKind, Bucket>>;
  /** Behaviours of further resource types, or replacements of built-in ones. */
  readonly behaviours?: readonly Behaviour[];
  /** Resources that tokens may be asked for, besides Azure's own. */
  readonly audiences?: readonly string[];
  /** Certificate authorities (PEM) of federated issuers, such as the embedded Kubernetes API. */
  readonly issuerCas?: readonly string[];
  /** @default 3599 */
  readonly tokenLifetimeSeconds?: number;
  readonly log?: Logger;
}

/** Base URLs without trailing slash. */
export interface AzureEndpoints {
  readonly aad: string;
  readonly arm: string;
  readonly imds: string;
}

export interface EmbeddedAzure {
  readonly tenantId: string;
  readonly subscriptionId: string;
  readonly endpoints: AzureEndpoints;
  readonly caPem: string;
  readonly caFile: string;
  readonly journal: Journal;
  readonly faults: Faults;
  /** May be changed at any time. */
  readonly settings: ArmSettings;
  readonly imds: ImdsSettings;
  readonly throttle: Throttle;
  /** The app that `env()` names; Owner of every subscription. */
  readonly defaultApp: RegisteredApp;
  /** Environment of a program that is to use this Azure, for the app given or the default one. */
  env(app?: RegisteredApp): Record<string, string>;
  registerApp(options?: RegisterAppOptions): RegisteredApp;
  /** Adds an identity that IMDS serves and that has no ARM resource. */
  addIdentity(identity?: Partial<MachineIdentity>): MachineIdentity;
  /** Trusts a federated issuer's certificate authority (PEM). */
  trustIssuerCa(pem: string): void;
  /** Removes every resource, app, fault and journal entry; certificates, addresses and the default app stay. */
  reset(): void;
  close(): Promise<void>;
}

const hour = 3600;

/** Starts an Azure on loopback: token service, Resource Manager, metadata endpoint. */
export async function startEmbeddedAzure(options: EmbeddedAzureOptions = {}): Promise<EmbeddedAzure> {
  const clock = options.clock ?? systemClock;
  const log = options.log ?? silentLogger;
  const store = new StateStore(options.stateFile);
  const state = store.data;
  const ids = new Ids(options.seed, state);
  const tenantId = options.tenantId ?? Object.values(state.subscriptions)[0]?.tenantId ?? ids.uuid();
  const wanted = options.subscriptionIds ?? [];
  const addSubscriptions = () => {
    const named =
      wanted.length > 0 ? wanted : Object.keys(state.subscriptions).length > 0 ? [] : [firstSubscription ?? ids.uuid()];
    for (const subscriptionId of named) {
      state.subscriptions[subscriptionId.toLowerCase()] ??= {
        subscriptionId,
        tenantId,
        displayName: 'Sandbox',
        registered: [],
      };
    }
  };
  let firstSubscription: string | undefined;
  addSubscriptions();
  firstSubscription = wanted[0] ?? Object.values(state.subscriptions)[0]?.subscriptionId;
  const subscriptionId = firstSubscription as string;

  state.ca ??= await issueCertificate({
    commonName: 'Azimuth sandbox CA',
    ids,
    now: clock.now(),
    days: 3650,
    ca: true,
  });
  const { ca } = state;
  const [tls] = await Promise.all([
    issueCertificate({
      commonName: 'localhost',
      ids,
      now: clock.now(),
      days: 825,
      issuer: ca,
      dnsNames: ['localhost', '*.vault.localhost', '*.localhost'],
      ipAddresses: ['127.0.0.1', '::1'],
    }),
    (async () => {
      state.signingKeyPem ??= (await rsaKeyPair()).privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;
    })(),
  ]);
  store.changed();
  const temporary = options.caFile ? undefined : mkdtempSync(join(tmpdir(), 'azimuth-azure-'));
  const caFile = options.caFile ?? join(temporary as string, 'ca.pem');
  writeCa(caFile, ca);

  const journal = new Journal();
  const faults = new Faults();
  const settings: ArmSettings = { ...defaultArmSettings, ...options.arm };
  const directory = new Directory(state, tenantId);
  const tokens = new TokenIssuer(state.signingKeyPem as string, ids);
  const throttle = new Throttle({ ...structuredClone(defaultThrottle), ...options.throttle }, () => clock.now());
  const assertions = new ClientAssertions(state, () => clock.now(), options.issuerCas ?? []);
  const deps: ListenerDeps = { journal, faults, clock, log, store, ids };
  const endpoints: { aad: string; arm: string; imds: string } = { aad: '', arm: '', imds: '' };
  const ownAudiences = () => [
    'https://management.azure.com',
    'https://management.core.windows.net',
    endpoints.arm,
    endpoints.arm.replace('localhost', '127.0.0.1'),
  ];
  const context = (): BehaviourContext => ({
    state,
    directory,
    ids,
    now: clock.now(),
    tenantId,
    settings,
    vaultUri: (name) => `https://${name}.vault.localhost/`,
  });
  const aad = new Aad({
    options: {
      tenantId,
      tokenLifetimeSeconds: options.tokenLifetimeSeconds ?? hour - 1,
      audiences: () => [...ownAudiences(), ...(options.audiences ?? [])],
    },
    state,
    directory,
    assertions,
    tokens,
    clock,
    ids,
  });
  const arm = new Arm({
    tokens,
    throttle,
    behaviours: new Behaviours(options.behaviours),
    clock,
    audiences: ownAudiences,
    authority: (tenant) => `${endpoints.aad}/${tenant}`,
    context,
    prepare: async () => undefined,
  });
  const imds = new Imds({
    settings: {
      identities: 'all',
      tokenLifetimeSeconds: 24 * hour - 1,
      subscriptionId,
      location: 'westus2',
      ...options.imds,
    },
    state,
    directory,
    tokens,
    clock,
  });

  const listeners: Listener[] = [];
  const close = async () => {
    await Promise.all(listeners.map((listener) => listener.close()));
    await assertions.close();
    store.flush();
    if (temporary) rmSync(temporary, { recursive: true, force: true });
  };
  const listen = async (
    service: 'aad' | 'arm' | 'imds',
    handler: typeof aad.handle | typeof imds.handle,
    port: number | undefined,
  ) => {
    const secure = service === 'imds' ? {} : { tls };
    const listener = await Listener.start(service, handler, deps, { port: port ?? 0, ...secure });
    listeners.push(listener);
    return service === 'imds' ? `http://127.0.0.1:${listener.port}` : `https://localhost:${listener.port}`;
  };
  try {
    endpoints.aad = await listen('aad', aad.handle, options.ports?.aad);
    endpoints.arm = await listen('arm', arm.handle, options.ports?.arm);
    endpoints.imds = await listen('imds', imds.handle, options.ports?.imds);
  } catch (error) {
    await close();
    throw error;
  }

  const register = (request: RegisterAppOptions = {}) => {
    const app = registerApp({ state, ids, now: clock.now(), tenantId }, request);
    store.changed();
    return app;
  };
  const defaultOptions: RegisterAppOptions = {
    displayName: 'sandbox-operator',
    roles: [{ role: 'Owner', scope: `/subscriptions/${subscriptionId}` }],
  };
  const kept = Object.values(state.apps).find(({ displayName }) => displayName === defaultOptions.displayName);
  const defaultApp = kept ? { ...kept, secret: kept.secrets[0]?.value ?? '' } : register(defaultOptions);

  return {
    tenantId,
    subscriptionId,
    endpoints,
    caPem: ca.certPem,
    caFile,
    journal,
    faults,
    settings,
    imds: imds.settings,
    throttle,
    defaultApp,
    env: (app = defaultApp) => ({
      AZURE_TENANT_ID: app.tenantId,
      AZURE_SUBSCRIPTION_ID: subscriptionId,
      AZURE_CLIENT_ID: app.clientId,
      ...(app.secret ? { AZURE_CLIENT_SECRET: app.secret } : {}),
      AZURE_AUTHORITY_HOST: endpoints.aad,
      AZURE_RESOURCE_MANAGER_ENDPOINT: endpoints.arm,
      AZURE_RESOURCE_MANAGER_AUDIENCE: 'https://management.azure.com',
      AZURE_POD_IDENTITY_AUTHORITY_HOST: endpoints.imds,
      NODE_EXTRA_CA_CERTS: caFile,
    }),
    registerApp: register,
    addIdentity(identity = {}) {
      const added: MachineIdentity = { clientId: ids.uuid(), objectId: ids.uuid(), systemAssigned: false, ...identity };
      state.machineIdentities.push(added);
      store.changed();
      return added;
    },
    trustIssuerCa: (pem) => assertions.trustIssuerCa(pem),
    reset() {
      store.reset();
      addSubscriptions();
      register({ ...defaultOptions, ...defaultApp });
      faults.clear();
      journal.clear();
      throttle.reset();
    },
    close,
  };
}

function writeCa(file: string, ca: KeyAndCertificate): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, ca.certPem);
}

import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../runtime/base/clock.ts';
import { silentLogger } from '../../runtime/base/observability/log.ts';
import { AdminServer } from './admin/admin.ts';
import { assignRole, environmentOf, type RegisterAppOptions, registerApp } from './apps.ts';
import { type ArmSettings, defaultArmSettings } from './arm/behaviour.ts';
import { changeHealth } from './arm/compute/instance-health.ts';
import { decideFeature } from './arm/features/feature-state.ts';
import { FirstSubscriptions } from './arm/first-subscriptions.ts';
import { defaultThrottle, Throttle } from './arm/throttle.ts';
import type { EmbeddedAzure, EmbeddedAzureOptions } from './embedded-azure.ts';
import { ClientAssertions } from './entra/client-assertion.ts';
import { Directory } from './entra/directory.ts';
import { TokenIssuer } from './entra/tokens.ts';
import type { Handler } from './exchange.ts';
import { Faults } from './faults.ts';
import { Ids } from './ids.ts';
import { Journal, type ServiceName } from './journal.ts';
import { VaultOutages } from './key-vault/vault-outages.ts';
import { Listener, type ListenerDeps } from './listener.ts';
import { sandboxKeys, writeCertificate } from './pki.ts';
import { createServices } from './services.ts';
import { type MachineIdentity, StateStore } from './state.ts';

const hour = 3600;

/** Starts an Azure on loopback: token service, Resource Manager, Key Vault, Microsoft Graph, metadata and admin endpoint. */
export async function startEmbeddedAzure(options: EmbeddedAzureOptions = {}): Promise<EmbeddedAzure> {
  const clock = options.clock ?? systemClock;
  const log = options.log ?? silentLogger;
  const store = new StateStore(options.stateFile);
  const state = store.data;
  const ids = new Ids(options.seed, state);
  const tenantId = options.tenantId ?? Object.values(state.subscriptions)[0]?.tenantId ?? ids.uuid();
  const subscriptions = new FirstSubscriptions(state, { ids, tenantId, wanted: options.subscriptionIds ?? [] });
  const subscriptionId = subscriptions.add();

  const { ca, tls, signingKeyPem } = await sandboxKeys(state, ids);
  store.changed();
  const temporary = options.caFile ? undefined : mkdtempSync(join(tmpdir(), 'azimuth-azure-'));
  const caFile = options.caFile ?? join(temporary as string, 'ca.pem');
  writeCertificate(caFile, ca);

  const journal = new Journal();
  const faults = new Faults();
  const settings: ArmSettings = { ...defaultArmSettings, ...options.arm };
  const directory = new Directory(state, tenantId);
  const tokens = new TokenIssuer(signingKeyPem, ids);
  const throttle = new Throttle({ ...structuredClone(defaultThrottle), ...options.throttle }, () => clock.now());
  const assertions = new ClientAssertions(state, () => clock.now(), options.issuerCas ?? []);
  const vaultOutages = new VaultOutages(state);
  const deps: ListenerDeps = { journal, faults, clock, log, store, ids };
  const endpoints = { aad: '', arm: '', graph: '', imds: '', vaultSuffix: '', admin: '' };
  const tokenSettings = { tokenLifetimeSeconds: options.tokenLifetimeSeconds ?? hour - 1 };
  const services = createServices({
    options,
    clock,
    state,
    ids,
    ca,
    tls,
    tenantId,
    subscriptionId,
    settings,
    directory,
    tokens,
    tokenSettings,
    throttle,
    assertions,
    vaultOutages,
    endpoints,
    listeners: deps,
  });
  const { entra, arm, graph, imds, vaultService, vaults } = services;

  const listeners: Listener[] = [];
  let admin: AdminServer | undefined;
  const close = async () => {
    await Promise.all([admin?.close(), ...listeners.map((listener) => listener.close()), vaults.close()]);
    await assertions.close();
    store.flush();
    if (temporary) rmSync(temporary, { recursive: true, force: true });
  };
  const listen = async (service: ServiceName, handler: Handler, port: number | undefined) => {
    const secure = service === 'imds' ? {} : { tls };
    const listener = await Listener.start(service, handler, deps, { port: port ?? 0, ...secure });
    listeners.push(listener);
    return listener.port;
  };
  try {
    const { ports = {} } = options;
    endpoints.aad = `https://localhost:${await listen('aad', entra.handle, ports.aad)}`;
    endpoints.arm = `https://localhost:${await listen('arm', arm.handle, ports.arm)}`;
    endpoints.graph = `https://localhost:${await listen('graph', graph.handle, ports.graph)}`;
    endpoints.imds = `http://127.0.0.1:${await listen('imds', imds.handle, ports.imds)}`;
    endpoints.vaultSuffix = `vault.localhost:${await listen('vault', vaultService.handler(), ports.vault)}`;
    for (const name of Object.keys(state.vaults)) await vaults.ensure(name);
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

  const adminToken = options.adminToken ?? randomBytes(24).toString('base64url');
  const azure: EmbeddedAzure = {
    tenantId,
    subscriptionId,
    endpoints,
    caPem: ca.certPem,
    caFile,
    journal,
    faults,
    vaultOutages,
    settings,
    graph: graph.settings,
    imds: imds.settings,
    throttle,
    tokenSettings,
    adminToken,
    defaultApp,
    env: (app = defaultApp) => environmentOf(app, { subscriptionId, endpoints, caFile }),
    registerApp: register,
    addSubscription(options = {}) {
      const added = { subscriptionId: ids.uuid(), tenantId: options.tenantId ?? tenantId };
      state.subscriptions[added.subscriptionId] = { ...added, displayName: 'Sandbox', registered: [] };
      store.changed();
      return added;
    },
    addIdentity(identity = {}) {
      const added: MachineIdentity = { clientId: ids.uuid(), objectId: ids.uuid(), systemAssigned: false, ...identity };
      state.machineIdentities.push(added);
      store.changed();
      return added;
    },
    assignRole(principalId, role, scope) {
      assignRole({ state, ids, now: clock.now(), tenantId }, principalId, role, scope);
      store.changed();
    },
    decideFeature(decision) {
      decideFeature(decision, state, clock.now());
      store.changed();
    },
    setInstanceHealth(change) {
      changeHealth(change, state);
      store.changed();
    },
    trustIssuerCa: (pem) => assertions.trustIssuerCa(pem),
    operationsRunning: () =>
      Object.values(state.operations).filter((each) => each.state === 'running' && each.readyAt > clock.now()).length,
    reset() {
      store.reset();
      subscriptions.add();
      register({ ...defaultOptions, ...defaultApp });
      faults.clear();
      vaultOutages.clear();
      journal.clear();
      throttle.reset();
    },
    close,
  };
  admin = new AdminServer(azure, clock, adminToken);
  endpoints.admin = `http://127.0.0.1:${await admin.listen(options.ports?.admin ?? 0).catch(async (error: unknown) => {
    await close();
    throw error;
  })}`;
  store.flush();
  return azure;
}

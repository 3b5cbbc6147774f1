import { randomBytes } from 'node:crypto';
import { AdminServer } from './admin/admin.ts';
import { environmentOf } from './apps.ts';
import type { EmbeddedAzure, EmbeddedAzureOptions } from './embedded-azure.ts';
import { createAzureDeps } from './wiring/azure-deps.ts';
import { ServiceListeners } from './wiring/service-listeners.ts';
import { createServices } from './wiring/services.ts';
import { stateChanges } from './wiring/state-changes.ts';

/** Starts an Azure on loopback: token service, Resource Manager, Key Vault, Microsoft Graph, metadata and admin endpoint. */
export async function startEmbeddedAzure(options: EmbeddedAzureOptions = {}): Promise<EmbeddedAzure> {
  const parts = await createAzureDeps(options);
  const services = createServices(parts);
  const listeners = new ServiceListeners(parts, services);
  await listeners.start();

  const { tenantId, subscriptionId, endpoints, ca, caFile, clock, state } = parts;
  const { journal, faults, store } = parts.listeners;
  const { vaultOutages, settings, throttle, tokenSettings, assertions } = parts;
  const changes = stateChanges(parts);
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
    graph: services.graph.settings,
    imds: services.imds.settings,
    throttle,
    tokenSettings,
    adminToken,
    ...changes,
    env: (app = changes.defaultApp) => environmentOf(app, { subscriptionId, endpoints, caFile }),
    trustIssuerCa: (pem) => assertions.trustIssuerCa(pem),
    operationsRunning: () =>
      Object.values(state.operations).filter((each) => each.state === 'running' && each.readyAt > clock.now()).length,
    close: () => listeners.close(),
  };
  await listeners.startAdmin(new AdminServer(azure, clock, adminToken));
  store.flush();
  return azure;
}

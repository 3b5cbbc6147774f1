import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../../runtime/base/clock.ts';
import { silentLogger } from '../../../runtime/base/observability/log.ts';
import { defaultArmSettings } from '../arm/behaviour.ts';
import { FirstSubscriptions } from '../arm/first-subscriptions.ts';
import { defaultThrottle, Throttle } from '../arm/throttle.ts';
import type { EmbeddedAzureOptions } from '../embedded-azure.ts';
import { ClientAssertions } from '../entra/client-assertion.ts';
import { Directory } from '../entra/directory.ts';
import { TokenIssuer } from '../entra/tokens.ts';
import { Faults } from '../faults.ts';
import { Ids } from '../ids.ts';
import { Journal } from '../journal.ts';
import { VaultOutages } from '../key-vault/vault-outages.ts';
import { sandboxKeys, writeCertificate } from '../pki.ts';
import { StateStore } from '../state.ts';
import type { ServiceDeps } from './services.ts';

const hour = 3600;

/** The dependencies of an embedded Azure that exist before a service listens. */
export interface AzureDeps extends ServiceDeps {
  readonly options: EmbeddedAzureOptions;
  readonly endpoints: { -readonly [K in keyof ServiceDeps['endpoints']]: ServiceDeps['endpoints'][K] };
  readonly subscriptions: FirstSubscriptions;
  readonly caFile: string;
  /** The directory of `caFile`, where it is to be removed at the end. */
  readonly temporary: string | undefined;
}

/** Reads the state, and makes keys, certificates and what the services share. */
export async function createAzureDeps(options: EmbeddedAzureOptions): Promise<AzureDeps> {
  const clock = options.clock ?? systemClock;
  const log = options.log ?? silentLogger;
  const store = new StateStore(options.stateFile, log);
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
  return {
    options,
    clock,
    state,
    ids,
    ca,
    caFile,
    temporary,
    tls,
    tenantId,
    subscriptions,
    subscriptionId,
    settings: { ...defaultArmSettings, ...options.arm },
    directory: new Directory(state, tenantId),
    tokens: new TokenIssuer(signingKeyPem, ids),
    tokenSettings: { tokenLifetimeSeconds: options.tokenLifetimeSeconds ?? hour - 1 },
    throttle: new Throttle({ ...structuredClone(defaultThrottle), ...options.throttle }, () => clock.now()),
    assertions: new ClientAssertions(state, () => clock.now(), options.issuerCas ?? []),
    vaultOutages: new VaultOutages(state),
    endpoints: { aad: '', arm: '', graph: '', imds: '', vaultSuffix: '', blob: '', queue: '', admin: '' },
    listeners: { journal: new Journal(), faults: new Faults(), clock, log, store, ids },
  };
}

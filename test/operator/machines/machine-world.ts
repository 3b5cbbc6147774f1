/** Machines with ManagedSecrets on the sandbox, in simulated time. The ManagedSecrets are a vault's and a test's. */
import forge from 'node-forge';
import { kindOf, resourceOf } from '../../../runtime/api/kinds.ts';
import { ManualClock } from '../../../runtime/base/clock.ts';
import type { KubeObject } from '../../../runtime/kube/client/types.ts';
import { Ids } from '../../../sandbox/azure/ids.ts';
import type { JournalEntry } from '../../../sandbox/azure/journal.ts';
import { issueCertificate } from '../../../sandbox/azure/pki.ts';
import { waitFailure } from '../../fakes/eventually.ts';
import { step, stopOn } from '../steady-hour.ts';
import { type RunningOperator, startWorld, types, type World } from '../support.ts';
import { certificate, FakeSecrets } from './known-secrets.ts';

export const setType = resourceOf(kindOf('compute.azure.com', 'VirtualMachineScaleSet'));
export const machineType = resourceOf(kindOf('compute.azure.com', 'VirtualMachine'));
export const machineKindPattern = [setType, machineType].map(({ group, kind }) => `${group}/${kind}`).join(';');

const ids = new Ids('seed', { counter: 0 });
const { keyPem, certPem } = await issueCertificate({ commonName: 'web', ids, now: Date.now(), days: 1 });
const pkcs12 = forge.pkcs12.toPkcs12Asn1(
  forge.pki.privateKeyFromPem(keyPem),
  [forge.pki.certificateFromPem(certPem)],
  'p',
  { algorithm: '3des' },
);
const data = forge.util.encode64(forge.asn1.toDer(pkcs12).getBytes());
/** What Compute reads as a certificate. */
const payload = Buffer.from(JSON.stringify({ data, dataType: 'pfx', password: 'p' })).toString('base64');

const health = {
  name: 'health',
  publisher: 'Microsoft.ManagedServices',
  type: 'ApplicationHealthLinux',
  typeHandlerVersion: '1.0',
  settings: { protocol: 'tcp', port: 80 },
};

/** Members of a scale set's spec. */
export interface SetOptions {
  readonly capacity?: number;
  readonly mode?: 'Automatic' | 'Manual' | 'Rolling';
  readonly policy?: object;
  readonly orchestrationMode?: 'Uniform' | 'Flexible';
  readonly extensions?: readonly object[];
  readonly managedSecrets?: readonly object[];
}

/** The spec of a scale set whose instances get the certificate `web`. */
export function setSpec({ capacity = 3, mode = 'Manual', policy, extensions = [], ...rest }: SetOptions = {}) {
  const { orchestrationMode = 'Uniform', managedSecrets = [{ managedSecret: 'web', delivery: 'OsProfile' }] } = rest;
  return {
    location: 'westeurope',
    owner: { name: 'rg' },
    sku: { name: 'Standard_D2s_v3', capacity },
    orchestrationMode,
    upgradePolicy: { mode, ...(policy && { rollingUpgradePolicy: policy }) },
    virtualMachineProfile: {
      osProfile: { computerNamePrefix: 'web', adminUsername: 'ops' },
      extensionProfile: { extensions: [health, ...extensions] },
    },
    operatorSpec: { managedSecrets },
  };
}

/** The world of a test file: time goes on by `pass` and `waitFor` only. */
export class MachineWorld {
  secrets = new FakeSecrets();
  readonly world: World;
  readonly clock: ManualClock;
  operator: RunningOperator | undefined;
  #vaultUrl = '';

  constructor(world: World, clock: ManualClock) {
    this.world = world;
    this.clock = clock;
  }

  static async start(): Promise<MachineWorld> {
    const clock = new ManualClock(Date.now());
    const world = await startWorld({ clock, kinds: machineKindPattern, arm: { retryAfterSeconds: 1 } });
    const machines = new MachineWorld(world, clock);
    await machines.#prepare();
    return machines;
  }

  get vaultId(): string {
    const { subscriptionId } = this.world.azure;
    return `/subscriptions/${subscriptionId}/resourceGroups/rg/providers/Microsoft.KeyVault/vaults/kv1`;
  }

  setId(name: string): string {
    return `${this.vaultId.split('/providers/')[0]}/providers/Microsoft.Compute/virtualMachineScaleSets/${name}`;
  }

  async #prepare(): Promise<void> {
    const { portal, azure } = this.world;
    const group = this.vaultId.split('/providers/')[0] as string;
    await portal.arm('PUT', group, '2021-04-01', { location: 'westeurope' });
    const properties = {
      tenantId: azure.tenantId,
      sku: { family: 'A', name: 'standard' },
      enableRbacAuthorization: true,
      enabledForDeployment: true,
    };
    const { body } = await portal.arm('PUT', this.vaultId, '2023-07-01', { location: 'westeurope', properties });
    this.#vaultUrl = body.properties.vaultUri;
    azure.assignRole(azure.defaultApp.objectId, 'Key Vault Administrator', this.vaultId);
    await this.startOperator();
    await this.world.apply(types.group, 'rg', { location: 'westeurope' });
  }

  /** A new version in the vault, which is the current one of the ManagedSecret `web` from now on. */
  async renew(number: number, change: object = {}): Promise<string> {
    const { portal } = this.world;
    const token = await portal.token('https://vault.azure.net/.default');
    const url = `${this.#vaultUrl}secrets/web?api-version=7.4`;
    const { body } = await portal.send('PUT', url, { token, body: { value: payload } });
    const secretUrl = `https://kv1.vault.azure.net/secrets/web/${String(body.id).split('/').at(-1)}`;
    this.secrets.set('default', 'web', certificate(number, { vaultId: this.vaultId, secretUrl, ...change }));
    return secretUrl;
  }

  async startOperator(): Promise<void> {
    const { clock, secrets } = this;
    this.operator = await this.world.startOperator({}, { clock, managedSecrets: secrets, syncPeriodMs: 3_600_000 });
  }

  async stopOperator(): Promise<void> {
    if (this.operator) await stopOn(this.clock, this.operator);
    this.operator = undefined;
  }

  /** Lets seconds go by until `check` gives something; fails after `limit` of them. */
  async waitFor<T>(what: string, check: () => Promise<T | undefined | false>, limit = 900): Promise<T> {
    for (let seconds = 0; seconds < limit; seconds++) {
      const found = await check();
      if (found) return found;
      await this.pass(1);
    }
    throw await waitFailure(limit, what);
  }

  async pass(seconds: number): Promise<void> {
    for (let each = 0; each < seconds; each++) {
      if (this.operator) await step(this.clock, this.operator);
      else await this.clock.advance(1000);
    }
  }

  /** The object once its condition SecretsDelivered, or Ready, has this reason. */
  async until(reason: string, name = 'web', type = 'SecretsDelivered', kind = setType): Promise<KubeObject> {
    return this.waitFor(`${name} is ${reason}`, async () => {
      const object = await this.world.client.tryGet(kind, { namespace: 'default', name });
      return conditionOf(object, type)?.reason === reason && object;
    });
  }

  /** The instances of a set as Azure shows them: id, and the URLs of its certificates. */
  async instances(name = 'web'): Promise<{ readonly id: string; readonly latest: boolean }[]> {
    const { body } = await this.world.portal.arm('GET', `${this.setId(name)}/virtualMachines`, '2024-07-01');
    type Item = { instanceId: string; properties: { latestModelApplied: boolean } };
    return body.value.map((item: Item) => ({ id: item.instanceId, latest: item.properties.latestModelApplied }));
  }

  /** Requests of Compute that match, since the last clear of the journal. */
  requests(method: string, path: RegExp): JournalEntry[] {
    return this.world.azure.journal.entries({ service: 'arm', method, path });
  }

  async close(): Promise<void> {
    await this.stopOperator();
    await this.world.close();
  }
}

export const conditionOf = (object: KubeObject | undefined, type: string) =>
  (
    object?.['status']?.conditions as
      | { type: string; status: string; reason: string; message?: string; severity?: string }[]
      | undefined
  )?.find((each) => each.type === type);

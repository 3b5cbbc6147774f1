/** Custom resources for the benches of the operator: groups, with identities and storage accounts in them. */

import { isAlreadyExists } from '../../../runtime/kube/client/status-error.ts';
import type { KubeClient, KubeObject, ResourceType } from '../../../runtime/kube/client/types.ts';
import type { EmbeddedAzure } from '../../../sandbox/azure/embedded-azure.ts';
import { types } from '../../operator/support.ts';
import { type OperatorProcess, pollMs } from './operator-process.ts';

const limitMs = 30 * 60_000;
/** Enough of them that Azure's rates, which are by region, are not what is measured. */
const regions = ['westeurope', 'northeurope', 'uksouth', 'ukwest', 'francecentral', 'swedencentral', 'norwayeast']
  .concat(['eastus', 'eastus2', 'westus2', 'westus3', 'centralus', 'japaneast', 'australiaeast', 'southeastasia'])
  .concat(['northcentralus', 'southcentralus', 'canadacentral', 'canadaeast', 'brazilsouth', 'koreacentral']);

/** Makes Azure answer at any rate. */
export function liftLimits(azure: EmbeddedAzure): void {
  const endless = { size: 1e9, refillPerSecond: 1e9 };
  for (const bucket of Object.values(azure.throttle.limits)) Object.assign(bucket, endless);
}

/** Creates so many resources, a twentieth of them groups. */
export function makeResources(client: KubeClient, resources: number): Promise<void> {
  return inTurns([...wanted(resources)], ([type, name, spec]) => create(client, type, name, spec));
}

/** Sixteen at a time; a server that is too busy to answer is asked again. */
export async function inTurns<T>(items: readonly T[], work: (item: T) => Promise<unknown>): Promise<void> {
  let next = 0;
  const insist = async (item: T, triesLeft = 20): Promise<unknown> => {
    try {
      return await work(item);
    } catch (error) {
      if (isAlreadyExists(error)) return undefined;
      if (triesLeft === 0) throw error;
      await new Promise((resolve) => setTimeout(resolve, 500));
      return insist(item, triesLeft - 1);
    }
  };
  const worker = async () => {
    for (let item = items[next++]; item !== undefined; item = items[next++]) await insist(item);
  };
  await Promise.all(Array.from({ length: 16 }, worker));
}

function create(client: KubeClient, type: ResourceType, name: string, spec: object): Promise<KubeObject> {
  return client.create<KubeObject>(type, {
    apiVersion: `${type.group}/${type.version}`,
    kind: type.kind,
    metadata: { namespace: 'default', name, labels: { team: `team-${name.length}` } },
    spec,
  });
}

function* wanted(resources: number): Generator<readonly [type: ResourceType, name: string, spec: object]> {
  const groups = Math.ceil(resources / 20);
  const locationOf = (index: number) => regions[index % regions.length];
  for (let index = 0; index < groups; index++) {
    yield [types.group, `group-${index}`, { location: locationOf(index), tags: { team: `team-${index % 10}` } }];
  }
  for (let index = 0; index < resources - groups; index++) {
    const tags = { index: String(index), 'cost-center': `cc-${index % 30}` };
    const common = { location: locationOf(index), tags, owner: { name: `group-${index % groups}` } };
    if (index % 2 === 0) yield [types.identity, `identity-${index}`, common];
    else {
      const own = { kind: 'StorageV2', sku: { name: 'Standard_LRS' }, accessTier: 'Hot', minimumTlsVersion: 'TLS1_2' };
      yield [types.account, `azm${index}`, { ...common, ...own, supportsHttpsTrafficOnly: true }];
    }
  }
}

/** Waits until the operator has found so many resources as declared. */
export async function allReady(operator: OperatorProcess, resources: number): Promise<void> {
  for (const deadline = Date.now() + limitMs; ; ) {
    const ready = (await operator.metrics())('azimuth_operator_resources', 'state="Succeeded"');
    if (ready === resources) return;
    if (Date.now() > deadline) throw new Error(`Only ${ready} of ${resources} are ready after ${limitMs / 60_000} min`);
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
}

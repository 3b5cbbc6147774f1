/** Which samples can live beside each other: everything at once, as far as their names allow it. */
import { isDeepStrictEqual } from 'node:util';
import type { KubeObject } from '../../../runtime/kube/client/types.ts';
import { presumedBy } from './presumed-objects.ts';
import { armKindOf, destinationsOf, keyOf } from './samples.ts';

interface Batch {
  readonly objects: Map<string, KubeObject>;
  /** Who has a name of which there is one: a resource of Azure, a Secret or ConfigMap that is written. */
  readonly holders: Map<string, string>;
}

/** Names of which only one object can be the holder. */
function namesOf(object: KubeObject): string[] {
  const arm = armKindOf(object)?.arm;
  const { owner, azureName = object.metadata.name } = (object['spec'] ?? {}) as Record<string, unknown>;
  const resource = arm && `${arm.armType} ${arm.azureNameFixed ?? azureName} in ${JSON.stringify(owner)}`.toLowerCase();
  return [...destinationsOf(object), ...(resource ? [resource] : [])];
}

function fits({ objects, holders }: Batch, object: KubeObject): boolean {
  const key = keyOf(object);
  const present = objects.get(key);
  if (present) return isDeepStrictEqual(present, object);
  return namesOf(object).every((name) => (holders.get(name) ?? key) === key);
}

/** Each unit into the first batch in which all of its objects fit. */
function pack(units: readonly (readonly KubeObject[])[]): KubeObject[][] {
  const batches: Batch[] = [];
  for (const unit of units) {
    let batch = batches.find((each) => unit.every((object) => fits(each, object)));
    if (!batch) {
      batch = { objects: new Map(), holders: new Map() };
      batches.push(batch);
    }
    for (const object of unit) {
      batch.objects.set(keyOf(object), object);
      for (const name of namesOf(object)) batch.holders.set(name, keyOf(object));
    }
  }
  return batches.map(({ objects }) => [...objects.values()]);
}

/** The Azure in which samples live. */
export interface SampleAzure {
  readonly subscriptionId: string;
  readonly tenantId: string;
  readonly defaultApp: { readonly objectId: string };
}

/** The place of ids that a sample leaves to its user. */
const nothing = '00000000-0000-0000-0000-000000000000';

/** The number of batches, which no id changes. */
export const countBatches = (folders: readonly (readonly KubeObject[])[]): number =>
  sampleBatches(folders, { subscriptionId: nothing, tenantId: nothing, defaultApp: { objectId: nothing } }).length;

/**
 * Batches that contain every object of the folders in every version. The objects of a folder stay together, but for
 * versions of one object and for two objects that have one name in Azure, or write one Secret. Objects that a batch
 * names and lacks come from the folders' first versions, and are made up where the folders lack them too.
 */
export function sampleBatches(folders: readonly (readonly KubeObject[])[], azure: SampleAzure): KubeObject[][] {
  const filled: KubeObject[][] = JSON.parse(
    JSON.stringify(folders)
      .replaceAll(`/subscriptions/${nothing}`, `/subscriptions/${azure.subscriptionId}`)
      .replaceAll(`"principalId":"${nothing}"`, `"principalId":"${azure.defaultApp.objectId}"`),
  );
  const first = new Map([...filled.flat()].reverse().map((object) => [keyOf(object), object]));
  const batches = pack(filled.flatMap((folder) => pack(folder.map((object) => [object]))));
  return batches.map((batch) => [...presumedBy(batch, azure, first), ...batch]);
}

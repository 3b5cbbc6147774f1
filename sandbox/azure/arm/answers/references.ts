import { createHash } from 'node:crypto';
import { isObject } from '../../../../runtime/base/json.ts';
import { at, type Json, merge, objectOf, stringOf } from '../../json.ts';
import type { StoredResource, StoredResources } from '../resources/stored-resources.ts';

/** Resources that refer to others. */
export interface Referrer {
  /** Their type. */
  readonly from: string;
  /** The list below `properties` whose items refer; the items are then who refers. */
  readonly list?: string;
  /** The path of the reference, in an item of `list` or in the resource. */
  readonly path: string;
}

/** A member in which a resource shows who refers to it. */
interface Reference extends Referrer {
  readonly member: string;
  /** one: `{id}`; many: a list of these; text: the id. @default 'many' */
  readonly form?: 'one' | 'many' | 'text';
  /** What else shows that somebody refers to it. */
  readonly also?: (id: string) => Json;
}

const network = 'Microsoft.Network/';
const ofInterface = { from: `${network}networkInterfaces`, list: 'ipConfigurations' } as const;
const ofBalancer = { from: `${network}loadBalancers`, list: 'frontendIPConfigurations' } as const;
const machine = 'Microsoft.Compute/virtualMachines';

const macAddress = (id: string) =>
  `00-0D-3A-${createHash('sha256')
    .update(id)
    .digest('hex')
    .slice(0, 6)
    .toUpperCase()
    .replaceAll(/(..)(?=.)/g, '$1-')}`;
const attached = () => ({ properties: { diskState: 'Attached' } });
const balanced = 'properties.loadBalancerBackendAddressPools.id';

/** By the type that shows the member, in lower case. */
const references: Readonly<Record<string, readonly Reference[]>> = {
  'microsoft.network/networkinterfaces': [
    {
      member: 'virtualMachine',
      from: machine,
      path: 'properties.networkProfile.networkInterfaces.id',
      form: 'one',
      also: (id) => ({ properties: { primary: true, macAddress: macAddress(id) } }),
    },
  ],
  'microsoft.network/publicipaddresses': [
    { member: 'ipConfiguration', ...ofInterface, path: 'properties.publicIPAddress.id', form: 'one' },
    { member: 'ipConfiguration', ...ofBalancer, path: 'properties.publicIPAddress.id', form: 'one' },
    {
      member: 'ipConfiguration',
      from: `${network}applicationGateways`,
      list: 'frontendIPConfigurations',
      path: 'properties.publicIPAddress.id',
      form: 'one',
    },
    {
      member: 'ipConfiguration',
      from: `${network}virtualNetworkGateways`,
      list: 'ipConfigurations',
      path: 'properties.publicIPAddress.id',
      form: 'one',
    },
  ],
  'microsoft.network/virtualnetworks/subnets': [
    { member: 'ipConfigurations', ...ofInterface, path: 'properties.subnet.id' },
    { member: 'ipConfigurations', ...ofBalancer, path: 'properties.subnet.id' },
    {
      member: 'ipConfigurations',
      from: `${network}virtualNetworkGateways`,
      list: 'ipConfigurations',
      path: 'properties.subnet.id',
    },
  ],
  'microsoft.network/networksecuritygroups': [
    { member: 'networkInterfaces', from: `${network}networkInterfaces`, path: 'properties.networkSecurityGroup.id' },
    { member: 'subnets', from: `${network}virtualNetworks/subnets`, path: 'properties.networkSecurityGroup.id' },
  ],
  'microsoft.network/routetables': [
    { member: 'subnets', from: `${network}virtualNetworks/subnets`, path: 'properties.routeTable.id' },
  ],
  'microsoft.network/ddosprotectionplans': [
    { member: 'virtualNetworks', from: `${network}virtualNetworks`, path: 'properties.ddosProtectionPlan.id' },
  ],
  'microsoft.network/loadbalancers/backendaddresspools': [
    { member: 'backendIPConfigurations', ...ofInterface, path: balanced },
  ],
  'microsoft.compute/disks': [
    {
      member: 'managedBy',
      from: machine,
      path: 'properties.storageProfile.dataDisks.managedDisk.id',
      form: 'text',
      also: attached,
    },
    {
      member: 'managedBy',
      from: machine,
      path: 'properties.storageProfile.osDisk.managedDisk.id',
      form: 'text',
      also: attached,
    },
  ],
  'microsoft.compute/availabilitysets': [
    { member: 'virtualMachines', from: machine, path: 'properties.availabilitySet.id' },
  ],
  'microsoft.compute/proximityplacementgroups': [
    { member: 'virtualMachines', from: machine, path: 'properties.proximityPlacementGroup.id' },
    {
      member: 'availabilitySets',
      from: 'Microsoft.Compute/availabilitySets',
      path: 'properties.proximityPlacementGroup.id',
    },
    {
      member: 'virtualMachineScaleSets',
      from: 'Microsoft.Compute/virtualMachineScaleSets',
      path: 'properties.proximityPlacementGroup.id',
    },
  ],
};

/** Children that a resource shows, though a PUT of it leaves them alone: by its type in lower case. */
export const shownChildren: Readonly<Record<string, { readonly member: string; readonly childType: string }>> = {
  'microsoft.network/virtualnetworks': {
    member: 'properties.virtualNetworkPeerings',
    childType: 'virtualNetworkPeerings',
  },
  'microsoft.compute/virtualmachines': { member: 'resources', childType: 'extensions' },
};

/** Who refers to whom, by reference and then by the id in lower case; made again after each write. */
interface Index {
  readonly version: number;
  readonly ids: ReadonlyMap<string, readonly string[]>;
}
const indices = new WeakMap<StoredResources, Map<Referrer, Index>>();

/** The referrers that a resource of the type shows. */
export const referrersTo = (type: string): readonly Referrer[] => references[type.toLowerCase()] ?? [];

/** The ids of the resources that refer to a resource. `referrer` is a row of a table: the index has it as its key. */
export const idsOfReferrers = (referrer: Referrer, id: string, resources: StoredResources): readonly string[] =>
  indexOf(referrer, resources).ids.get(id.toLowerCase()) ?? [];

function indexOf(reference: Referrer, resources: StoredResources): Index {
  const known = indices.get(resources) ?? new Map<Referrer, Index>();
  indices.set(resources, known);
  const before = known.get(reference);
  if (before?.version === resources.version) return before;
  const pairs = resources.ofType(reference.from).flatMap((resource) => pairsOf(reference, resource));
  const grouped = Map.groupBy(pairs, ([target]) => target.toLowerCase());
  const ids = new Map([...grouped].map(([target, of]) => [target, of.map(([, id]) => id)]));
  const index = { version: resources.version, ids };
  known.set(reference, index);
  return index;
}

function pairsOf({ list, path }: Referrer, { id, body }: StoredResource): [string, string][] {
  if (list === undefined) return textsAt(body, path.split('.')).map((target) => [target, id]);
  const items = at(body, `properties.${list}`);
  return (Array.isArray(items) ? items.filter(isObject) : []).flatMap((item) =>
    textsAt(item, path.split('.')).map((target): [string, string] => [
      target,
      `${id}/${list}/${stringOf(item['name'])}`,
    ]),
  );
}

function textsAt(value: unknown, [name, ...rest]: readonly string[]): string[] {
  if (Array.isArray(value))
    return value.flatMap((item) => textsAt(item, [...(name === undefined ? [] : [name]), ...rest]));
  if (name === undefined) return typeof value === 'string' ? [value] : [];
  return isObject(value) ? textsAt(value[name], rest) : [];
}

/** Adds to what is shown of a resource who refers to it. */
export function addReferences(
  shown: Json,
  { id, type }: Pick<StoredResource, 'id' | 'type'>,
  resources: StoredResources,
): void {
  for (const reference of references[type.toLowerCase()] ?? []) {
    const ids = idsOfReferrers(reference, id, resources);
    if (ids.length === 0) continue;
    const values = { one: { id: ids[0] }, many: ids.map((each) => ({ id: each })), text: ids[0] };
    const form = reference.form ?? 'many';
    const member = form === 'text' ? reference.member : `properties.${reference.member}`;
    const before = at(shown, member);
    putAtLast(shown, member, form === 'many' && Array.isArray(before) ? [...before, ...values.many] : values[form]);
    if (reference.also) Object.assign(shown, merge(shown, reference.also(id)));
  }
}

function putAtLast(shown: Json, member: string, value: unknown): void {
  const [first = '', second] = member.split('.');
  if (second === undefined) shown[first] = value;
  else shown[first] = { ...objectOf(shown[first]), [second]: value };
}

/** Types whose parts show which other parts of the same resource refer to them. */
const withParts = new Set(['microsoft.network/loadbalancers', 'microsoft.network/applicationgateways']);

/** Adds to the parts of a resource, such as the listeners of a gateway, which of its other parts refer to them. */
export function addPartReferences(
  shown: Json,
  { id, type }: Pick<StoredResource, 'id' | 'type'>,
  resources: StoredResources,
): void {
  if (!withParts.has(type.toLowerCase())) return;
  const lists = Object.entries(objectOf(shown['properties'])).filter(([, list]) => Array.isArray(list)) as [
    string,
    unknown[],
  ][];
  for (const [list, items] of lists) {
    for (const item of items.filter(isObject)) {
      for (const target of new Set(partsNamed(item['properties'], id))) {
        const part = partAt(shown, target, id);
        if (part) addTo(part, list, stringOf(item['id']) || `${id}/${list}/${stringOf(item['name'])}`);
      }
    }
  }
  const pools = at(shown, 'properties.backendAddressPools');
  for (const pool of Array.isArray(pools) ? pools.filter(isObject) : []) {
    addReferences(
      pool,
      { id: `${id}/backendAddressPools/${stringOf(pool['name'])}`, type: `${type}/backendAddressPools` },
      resources,
    );
  }
}

function addTo(part: Json, list: string, id: string): void {
  const properties = objectOf(part['properties']);
  const before = Array.isArray(properties[list]) ? properties[list] : [];
  if (before.some((each: unknown) => at(each, 'id') === id)) return;
  part['properties'] = { ...properties, [list]: [...before, { id }] };
}

/** The ids of parts of the resource that a value has, without lists, which Azure fills itself. */
function partsNamed(value: unknown, id: string): string[] {
  if (!isObject(value)) return [];
  return Object.values(value).flatMap((member) => {
    const named = stringOf(at(member, 'id'));
    return named.toLowerCase().startsWith(`${id.toLowerCase()}/`) ? [named] : [];
  });
}

function partAt(shown: Json, target: string, id: string): Json | undefined {
  const [list = '', name = ''] = target.slice(id.length + 1).split('/');
  const items = Object.entries(objectOf(shown['properties'])).find(
    ([each]) => each.toLowerCase() === list.toLowerCase(),
  )?.[1];
  const same = (item: unknown) => stringOf(at(item, 'name')).toLowerCase() === name.toLowerCase();
  return Array.isArray(items) ? (items.find(same) as Json | undefined) : undefined;
}

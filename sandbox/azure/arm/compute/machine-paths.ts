import { type Exchange, type Reply, refuse } from '../../exchange.ts';
import { objectOf, stringOf } from '../../json.ts';
import type { BehaviourContext } from '../behaviour.ts';
import { page } from '../paging.ts';
import type { ResourceEngine } from '../resources/resource-engine.ts';
import { groupIdOf, parsePath, type ResourcePath } from '../resources/resource-path.ts';
import type { StoredResource } from '../resources/stored-resources.ts';
import { sameName } from '../write-checks.ts';
import { platformImages } from './locations/platform-images.ts';
import { machineSizes, resourceSkus } from './locations/resource-skus.ts';
import { runCommands } from './locations/run-commands.ts';
import { instanceView, listInstances, setInstanceView } from './machine-view.ts';
import { instanceType, isScaleSet, machineType } from './profile.ts';
import { upgradeView } from './rolling-upgrade.ts';
import { findSet, instancesOf, isFlexible } from './scale-set-model.ts';
import { usages } from './usages.ts';

const locationsType = 'Microsoft.Compute/locations';
const upgradesType = 'Microsoft.Compute/virtualMachineScaleSets/rollingUpgrades';

/** A request to Microsoft.Compute. */
interface ComputeRequest {
  readonly exchange: Exchange;
  readonly path: ResourcePath;
  readonly engine: ResourceEngine;
  readonly context: BehaviourContext;
  readonly apiVersion: string;
}

/** Paths of Microsoft.Compute that are no plain resources: instances, their views, rolling upgrades. */
export function machinePaths(request: ComputeRequest): Reply | undefined {
  const { exchange, path, engine, context } = request;
  if (path.namespace?.toLowerCase() !== 'microsoft.compute') return undefined;
  const expand = /instanceview/i.test(exchange.query.get('$expand') ?? '');
  const get = exchange.method === 'GET';
  const tail = path.tail?.toLowerCase();
  const parent = path.parentId === undefined ? undefined : findSet(path.parentId, context.state);
  if (sameName(path.type, upgradesType)) return upgrades(request, parent);
  if (sameName(path.type, instanceType) && parent && isFlexible(parent)) return flexibleInstance(request, parent);
  const resource = engine.resources.find(path.id);
  if (get && resource && isScaleSet(path.type)) {
    if (tail === 'instanceview') return { status: 200, body: setInstanceView(resource, context.state) };
    if (tail === 'osupgradehistory') return page(exchange, [], context.settings.pageSize);
    if (tail === 'virtualmachines') {
      return page(exchange, listInstances(resource, context.state, expand), context.settings.pageSize);
    }
  }
  const machine = sameName(path.type, machineType) || sameName(path.type, instanceType);
  if (get && resource && machine) {
    if (tail === 'instanceview') return { status: 200, body: instanceView(resource, context.state) };
    if (tail === undefined && exchange.query.has('$expand')) return expanded(request, resource, expand);
  }
  if (get && sameName(path.type, locationsType) && tail === 'usages') {
    return page(exchange, usages(path.subscriptionId ?? '', path.name, context), context.settings.pageSize);
  }
  if (get && sameName(path.type, locationsType) && tail === 'vmsizes') {
    return page(exchange, machineSizes(), context.settings.pageSize);
  }
  if (get && path.types.length === 0 && tail === 'skus') return resourceSkus(exchange);
  if (get && sameName(path.types[0] ?? '', 'locations')) {
    const reply = platformImages(path, context.settings) ?? runCommands(exchange, path, context.settings.pageSize);
    if (reply) return reply;
  }
  if (get && path.types.length === 0 && tail === 'virtualmachines') return machines(request, expand);
  return undefined;
}

/** A machine with the parts that `$expand` names. */
function expanded({ exchange, engine, context }: ComputeRequest, resource: StoredResource, view: boolean): Reply {
  const shown = engine.resources.view(resource);
  const userData = /userdata/i.test(exchange.query.get('$expand') ?? '')
    ? { userData: objectOf(resource.body['properties'])['userData'] }
    : {};
  const seen = view ? { instanceView: instanceView(resource, context.state) } : {};
  return { status: 200, body: { ...shown, properties: { ...objectOf(shown['properties']), ...userData, ...seen } } };
}

/** Virtual machines of a group or subscription; `$filter` may choose those of one Flexible set. */
function machines({ exchange, path, engine, context }: ComputeRequest, expand: boolean): Reply | undefined {
  const filter = exchange.query.get('$filter');
  if (!expand && filter === null) return undefined;
  const [, wanted] = /^'?virtualMachineScaleSet\/id'? eq '([^']*)'$/i.exec(filter?.trim() ?? '') ?? [];
  if (filter !== null && wanted === undefined) {
    throw refuse(400, 'InvalidFilterInQueryString', `Invalid $filter '${filter}' specified in the query string.`);
  }
  const set = wanted === undefined ? undefined : findSet(wanted, context.state);
  const inSet = new Set(set ? instancesOf(set, context.state).map(({ id }) => id.toLowerCase()) : []);
  const items = engine.resources
    .list(machineType, path.scope)
    .filter(({ id }) => wanted === undefined || inSet.has(stringOf(id).toLowerCase()))
    .map((item) => {
      const resource = engine.resources.find(stringOf(item['id']));
      const view = expand && resource ? { instanceView: instanceView(resource, context.state) } : {};
      return { ...item, properties: { ...objectOf(item['properties']), ...view } };
    });
  return page(exchange, items, context.settings.pageSize);
}

/** rollingUpgrades/latest. */
function upgrades(request: ComputeRequest, set: StoredResource | undefined): Reply | undefined {
  const { exchange, path, context } = request;
  if (!set) return undefined;
  if (exchange.method !== 'GET' || !sameName(path.name, 'latest')) return undefined;
  const body = upgradeView(set, context.state);
  if (body) return { status: 200, body };
  throw refuse(404, 'NotFound', `The scale set '${set.name}' had no rolling upgrade.`);
}

/** An instance of a Flexible set is a virtual machine: the path leads to that. */
function flexibleInstance(request: ComputeRequest, set: StoredResource): Reply | undefined {
  const { exchange, path, engine, context, apiVersion } = request;
  const { subscriptionId, resourceGroup } = set;
  const group = groupIdOf({ subscriptionId, ...(resourceGroup ? { resourceGroup } : {}) });
  const machine = parsePath(`${group}/providers/${machineType}/${path.name}`);
  const here = instancesOf(set, context.state).some(({ name }) => sameName(name, path.name));
  if (!here) return undefined;
  if (exchange.method === 'DELETE' && path.tail === undefined) return engine.remove(machine, exchange, apiVersion);
  if (exchange.method === 'POST' && path.tail !== undefined) {
    return engine.actions.act({ ...machine, tail: path.tail }, exchange, apiVersion);
  }
  if (exchange.method !== 'GET') return undefined;
  const expand = path.tail !== undefined || exchange.query.has('$expand');
  const item = listInstances(set, context.state, expand).find(({ name }) => sameName(stringOf(name), path.name));
  return { status: 200, body: path.tail === undefined ? item : objectOf(item?.['properties'])['instanceView'] };
}

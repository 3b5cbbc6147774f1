import { isObject } from '../../../../runtime/base/json.ts';
import { at, type Json, merge, objectOf } from '../../json.ts';
import { addCounts } from '../answers/counts.ts';
import { addNatRules } from '../answers/nat-rules.ts';
import type { WriteKind } from '../answers/recorded-answers.ts';
import { addPartReferences, addReferences, shownChildren } from '../answers/references.ts';
import type { Behaviour, BehaviourContext, RemoveStyle, WriteStyle } from '../behaviour.ts';
import type { Behaviours } from '../behaviours/index.ts';
import { sameName } from '../write-checks.ts';
import { removeAt, removeSecrets } from './hidden-members.ts';
import { etagOf } from './resource-content.ts';
import { groupIdOf, groupType, type ResourcePath } from './resource-path.ts';
import type { StoredResource } from './stored-resources.ts';

/** The resources that exist, as the sandbox keeps them and as readers see them. */
export class ResourceStore {
  /** The present context of behaviours. */
  readonly context: () => BehaviourContext;
  readonly #behaviours: Behaviours;

  constructor(behaviours: Behaviours, context: () => BehaviourContext) {
    this.#behaviours = behaviours;
    this.context = context;
  }

  /** The behaviour of a type such as `Microsoft.Storage/storageAccounts`, in any case of letters. */
  behaviourOf(type: string): Behaviour {
    return this.#behaviours.of(type);
  }

  /** How a PUT or PATCH is answered. */
  writeStyle(type: string, kind: Exclude<WriteKind, 'remove'>, apiVersion: string): WriteStyle {
    return this.#behaviours.writeStyle(type, kind, apiVersion);
  }

  /** How a DELETE is answered. */
  removeStyle(type: string, apiVersion: string): RemoveStyle {
    return this.#behaviours.removeStyle(type, apiVersion);
  }

  /** The resource of an ARM id, in any case of letters. */
  find(id: string): StoredResource | undefined {
    return this.context().state.resources.get(id);
  }

  save(resource: StoredResource): void {
    this.context().state.resources.set(resource);
  }

  /** Resources of a type directly under a scope (resource group, parent, or whole subscription), in order of creation. */
  list(type: string, below: string): Json[] {
    const [parent, name] = [type.slice(0, type.lastIndexOf('/')), type.slice(type.lastIndexOf('/') + 1)];
    const several = this.behaviourOf(parent).collections?.[name.toLowerCase()];
    if (several) return several.flatMap((child) => this.list(`${parent}/${child}`, below));
    const prefix = `${below.toLowerCase()}/`;
    const { resources } = this.context().state;
    return resources
      .ofType(type)
      .filter(({ id }) => id.toLowerCase().startsWith(prefix))
      .map((resource) => this.view(resource));
  }

  /** The resource as an answer shows it: without hidden members, with the children that its type embeds. */
  view(resource: StoredResource): Json {
    const behaviour = this.behaviourOf(resource.type);
    const context = this.context();
    const shown = structuredClone(behaviour.view?.(resource, context) ?? resource.body);
    for (const path of behaviour.writeOnly ?? []) removeAt(shown, path.split('.'));
    for (const path of behaviour.omitsEmpty ?? []) {
      const value = at(shown, path);
      if (isObject(value) && Object.keys(value).length === 0) removeAt(shown, path.split('.'));
    }
    if (behaviour.type === '*') removeSecrets(shown);
    for (const { member, childType, bare } of behaviour.embeds ?? []) {
      const children = this.list(`${resource.type}/${childType}`, resource.id);
      const items = bare ? children.map(({ name, properties }) => ({ name, properties })) : children;
      const within = member.split('.').reduceRight<unknown>((inner, name) => ({ [name]: inner }), items);
      const nested = member.includes('.');
      if (!nested || items.length > 0) shown['properties'] = merge(objectOf(shown['properties']), within as Json);
    }
    this.#addRelations(shown, resource, context);
    const { busyWithChildren: member } = behaviour;
    if (member !== undefined && this.childAtWork(resource)) {
      shown['properties'] = { ...objectOf(shown['properties']), [member]: 'Updating' };
    }
    return { id: resource.id, name: resource.name, type: resource.type, ...etagOf(resource, behaviour), ...shown };
  }

  /** Adds what Azure shows of other resources: children that are no part of a PUT, and who refers to this one. */
  #addRelations(shown: Json, resource: StoredResource, { state }: BehaviourContext): void {
    const children = shownChildren[resource.type.toLowerCase()];
    const items = children ? this.list(`${resource.type}/${children.childType}`, resource.id) : [];
    if (children && items.length > 0) {
      if (children.member.startsWith('properties.')) {
        const name = children.member.slice('properties.'.length);
        shown['properties'] = { ...objectOf(shown['properties']), [name]: items };
      } else shown[children.member] = items;
    }
    addReferences(shown, resource, state.resources);
    if (resource.type.toLowerCase() === 'microsoft.network/loadbalancers') addNatRules(shown, resource.id, state);
    addPartReferences(shown, resource, state.resources);
    addCounts(shown, resource, state.resources);
  }

  /** Stores a resource that exists with its parent, once a request needs a record of it. */
  implied(path: ResourcePath, behaviour: Behaviour): StoredResource | undefined {
    const body = behaviour.implicit?.(path);
    if (!body) return undefined;
    const { state, now } = this.context();
    const { id, name, type, subscriptionId = '', resourceGroup } = path;
    const times = { createdAt: now, changedAt: now };
    const group = resourceGroup ? { resourceGroup } : {};
    const resource: StoredResource = { id, name, type, subscriptionId, ...group, body, system: {}, ...times };
    state.resources.set(resource);
    return resource;
  }

  /** The id in the spelling that Azure answers with: the group as it was created. */
  canonicalId(path: ResourcePath, behaviour: Behaviour): string {
    const group = path.resourceGroup === undefined ? undefined : this.find(groupIdOf(path));
    const id = group && path.type !== groupType ? `${group.id}${path.id.slice(group.id.length)}` : path.id;
    return id.replace(/\/resourcegroups\//i, behaviour.lowerCaseGroups ? '/resourcegroups/' : '/resourceGroups/');
  }

  /** A parent that shows its children inside itself changes with them, and so does its etag. */
  touchParent(child: StoredResource): void {
    const parent = this.find(child.id.split('/').slice(0, -2).join('/'));
    const behaviour = parent && this.behaviourOf(parent.type);
    const shown = behaviour?.embeds?.some(({ childType }) => sameName(`${parent?.type}/${childType}`, child.type));
    if (parent && behaviour?.etag && shown) parent.system['etag'] = this.context().ids.uuid();
  }

  /** Removes the resource and all that lies below it, last created first. */
  drop(resource: StoredResource): void {
    const context = this.context();
    this.touchParent(resource);
    const { resources } = context.state;
    for (const victim of [resource, ...resources.below(resource.id)].reverse()) {
      resources.delete(victim.id);
      this.behaviourOf(victim.type).removed?.(victim, context);
    }
  }

  /** Whether an operation runs on anything below the resource. */
  childAtWork({ id }: StoredResource): boolean {
    const prefix = `${id.toLowerCase()}/`;
    return Object.values(this.context().state.operations).some(
      ({ state, resourceId }) => state === 'running' && resourceId.toLowerCase().startsWith(prefix),
    );
  }
}

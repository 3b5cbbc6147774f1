import { isObject } from '../../../../runtime/base/json.ts';
import { expandTemplate } from '../../../../runtime/compute/templates/expand-template.ts';
import { at, type Json, objectOf, stringOf } from '../../json.ts';
import type { BehaviourContext } from '../behaviour.ts';
import { groupIdOf, type ResourcePath } from '../resources/resource-path.ts';
import type { StoredResource } from '../resources/stored-resources.ts';
import { isWithin } from './locks.ts';
import { type FieldReader, memberOf } from './policy-conditions.ts';

/** One policy of an assignment, with the parameters that its rule gets. */
export interface AppliedPolicy {
  readonly assignment: StoredResource;
  readonly definition: StoredResource;
  readonly parameters: Json;
}

/** The ARM types of policies. */
export const policyTypes = {
  definitions: 'Microsoft.Authorization/policyDefinitions',
  sets: 'Microsoft.Authorization/policySetDefinitions',
  assignments: 'Microsoft.Authorization/policyAssignments',
  exemptions: 'Microsoft.Authorization/policyExemptions',
} as const;

/** The policies that are enforced at a resource: those of assignments at it or above it, without exemptions. */
export function policiesAt(id: string, { resources }: BehaviourContext['state']): AppliedPolicy[] {
  const here = id.toLowerCase();
  const scopeOf = (resource: StoredResource) =>
    resource.id.slice(0, resource.id.toLowerCase().lastIndexOf('/providers/')).toLowerCase();
  const exempt = new Set(
    resources
      .ofType(policyTypes.exemptions)
      .filter((exemption) => isWithin(here, scopeOf(exemption)))
      .map(({ body }) => stringOf(at(body, 'properties.policyAssignmentId')).toLowerCase()),
  );
  return resources
    .ofType(policyTypes.assignments)
    .filter((assignment) => isWithin(here, scopeOf(assignment)) && !exempt.has(assignment.id.toLowerCase()))
    .filter(({ body }) => !excluded(here, objectOf(body['properties'])))
    .flatMap((assignment) => definitionsOf(assignment, resources));
}

function excluded(id: string, { enforcementMode, notScopes }: Json): boolean {
  if (stringOf(enforcementMode).toLowerCase() === 'donotenforce') return true;
  const scopes = Array.isArray(notScopes) ? notScopes.map(stringOf) : [];
  return scopes.some((scope) => isWithin(id, scope.toLowerCase()));
}

function definitionsOf(assignment: StoredResource, resources: BehaviourContext['state']['resources']): AppliedPolicy[] {
  const { policyDefinitionId, parameters } = objectOf(assignment.body['properties']);
  const given = valuesOf(parameters);
  const target = resources.get(stringOf(policyDefinitionId));
  if (!target) return [];
  if (target.type.toLowerCase() === policyTypes.definitions.toLowerCase()) {
    return [{ assignment, definition: target, parameters: given }];
  }
  const members = at(target.body, 'properties.policyDefinitions');
  return (Array.isArray(members) ? members : []).flatMap((member) => {
    const definition = resources.get(stringOf(at(member, 'policyDefinitionId')));
    const set = { declared: at(target.body, 'properties.parameters'), given };
    return definition
      ? [{ assignment, definition, parameters: evaluated(valuesOf(at(member, 'parameters')), set) as Json }]
      : [];
  });
}

const valuesOf = (parameters: unknown): Json =>
  Object.fromEntries(Object.entries(objectOf(parameters)).map(([name, parameter]) => [name, at(parameter, 'value')]));

/** What the expressions of a rule can use. */
interface RuleScope {
  readonly declared: unknown;
  readonly given: Json;
  readonly field?: FieldReader;
  readonly group?: { readonly name: string; readonly location: string; readonly tags: Json };
  readonly subscriptionId?: string;
}

/** A part of a rule with its expressions evaluated. Throws Error for an expression with a problem. */
function evaluated(part: unknown, { declared, given, field, group, subscriptionId = '' }: RuleScope): unknown {
  const own = field ? withFields(part, field) : part;
  const names = Object.entries(objectOf(declared)).map(([name, parameter]) => {
    const { type, defaultValue } = objectOf(parameter);
    const fallback = defaultValue === undefined ? {} : { defaultValue };
    return [name, { type: stringOf(type).toLowerCase(), ...fallback }];
  });
  const template = {
    $schema: 'https://schema.management.azure.com/schemas/2019-04-01/deploymentTemplate.json#',
    contentVersion: '1.0.0.0',
    parameters: Object.fromEntries(names),
    resources: [],
    outputs: { part: { type: 'object', value: { part: own } } },
  };
  const used = Object.entries(given).filter(([name]) => Object.hasOwn(template.parameters, name));
  const { outputs, problems } = expandTemplate(JSON.stringify(template), {
    subscription: { subscriptionId, tenantId: '' },
    resourceGroup: { name: '', location: '', ...group } as Parameters<typeof expandTemplate>[1]['resourceGroup'],
    deployment: { name: 'policy' },
    parameters: Object.fromEntries(used.map(([name, value]) => [name, { value }])),
    now: 0,
    newGuid: () => '',
  });
  const [first] = problems;
  if (first) throw new Error(first.message);
  return at(JSON.parse(JSON.stringify(outputs['part']?.value)), 'part');
}

/** The part with `[field('x')]` replaced: templates do not have this function. */
function withFields(part: unknown, field: FieldReader): unknown {
  if (Array.isArray(part)) return part.map((item) => withFields(item, field));
  if (isObject(part))
    return Object.fromEntries(Object.entries(part).map(([name, each]) => [name, withFields(each, field)]));
  const [, name] = typeof part === 'string' ? (/^\[field\('([^']+)'\)\]$/.exec(part) ?? []) : [];
  return name === undefined ? part : (field(name) ?? null);
}

/** The rule of a policy for a resource. Throws Error for an expression with a problem. */
export function ruleFor(
  { definition, parameters }: AppliedPolicy,
  path: ResourcePath,
  field: FieldReader,
  { state }: BehaviourContext,
): Json {
  const group = path.resourceGroup === undefined ? undefined : state.resources.get(groupIdOf(path));
  const { parameters: declared, policyRule } = objectOf(definition.body['properties']);
  const values = group && {
    name: group.name,
    location: stringOf(group.body['location']),
    tags: objectOf(group.body['tags']),
  };
  const { subscriptionId = '' } = path;
  return objectOf(
    evaluated(policyRule, { declared, given: parameters, field, subscriptionId, ...(values && { group: values }) }),
  );
}

/** Reads fields of a resource that is to be written; aliases begin with its type. */
export function fieldsOf(body: Json, path: ResourcePath): FieldReader {
  const own: Readonly<Record<string, unknown>> = {
    id: path.id,
    type: typeName(path),
    name: path.name,
    fullname: path.names.join('/'),
  };
  return (name) => {
    const key = name.toLowerCase();
    if (Object.hasOwn(own, key)) return own[key];
    const tag = /^tags\[(?:'(.*)'|(.*))\]$/i.exec(name) ?? /^tags\.(.+)$/i.exec(name);
    if (tag) return memberOf(body['tags'], tag[1] ?? tag[2] ?? '');
    const prefix = `${typeName(path).toLowerCase()}/`;
    const alias = key.startsWith(prefix) ? name.slice(prefix.length) : name;
    if (alias === name && name.includes('/')) return undefined;
    return read(body['properties'], alias) ?? read(body, alias);
  };
}

const typeName = ({ type }: ResourcePath) =>
  type.replace(/^Microsoft\.Resources\/resourceGroups$/i, 'Microsoft.Resources/subscriptions/resourceGroups');

function read(value: unknown, alias: string): unknown {
  const [first = '', ...rest] = alias.split(/[./]/);
  if (first === '') return value;
  if (!first.endsWith('[*]')) {
    const member = memberOf(value, first);
    return rest.length === 0 || member === undefined ? member : read(member, rest.join('.'));
  }
  const items = memberOf(value, first.slice(0, -3));
  if (!Array.isArray(items)) return undefined;
  return rest.length === 0 ? items : items.flatMap((item) => read(item, rest.join('.')) ?? []);
}

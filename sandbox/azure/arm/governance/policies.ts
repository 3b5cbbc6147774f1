import { type Exchange, jsonBody, type Refusal, refuse } from '../../exchange.ts';
import { at, type Json, merge, objectOf, stringOf } from '../../json.ts';
import type { BehaviourContext } from '../behaviour.ts';
import type { ResourcePath } from '../resources/resource-path.ts';
import { fits } from './policy-conditions.ts';
import { type AppliedPolicy, fieldsOf, policiesAt, ruleFor } from './policy-rules.ts';

const ownNamespaces = /^microsoft\.(authorization|management|policyinsights)$/i;

/**
 * The write as policies change it: `modify` and `append` complete its body. Throws ARM's refusal where one denies it. An
 * `audit` allows it, and so do the effects that deploy something.
 */
export function applyPolicies(exchange: Exchange, path: ResourcePath, context: BehaviourContext): Exchange {
  if (ownNamespaces.test(path.namespace ?? '')) return exchange;
  const policies = policiesAt(path.id, context.state);
  if (policies.length === 0) return exchange;
  let body = jsonBody(exchange);
  const existing = exchange.method === 'PATCH' ? objectOf(context.state.resources.get(path.id)?.body) : {};
  const denials: [AppliedPolicy, string][] = [];
  // Azure changes the body first, and denies what is left.
  for (const policy of policies) {
    const effect = effectOf(policy, merge(existing, body), path, context);
    if (effect?.name === 'modify' || effect?.name === 'append') body = changed(body, merge(existing, body), effect);
  }
  for (const policy of policies) {
    if (effectOf(policy, merge(existing, body), path, context)?.name === 'deny') denials.push([policy, 'deny']);
  }
  if (denials.length > 0)
    throw disallowed(
      path,
      denials.map(([policy]) => policy),
    );
  return { ...exchange, body: Buffer.from(JSON.stringify(body)) };
}

interface Effect {
  readonly name: string;
  readonly details: unknown;
}

/** The effect of a policy on a resource; undefined where the rule does not fit it. */
function effectOf(
  policy: AppliedPolicy,
  body: Json,
  path: ResourcePath,
  context: BehaviourContext,
): Effect | undefined {
  const mode = stringOf(at(policy.definition.body, 'properties.mode')).toLowerCase() || 'indexed';
  if (mode === 'indexed' && body['location'] === undefined && body['tags'] === undefined) return undefined;
  const field = fieldsOf(body, path);
  try {
    const rule = ruleFor(policy, path, field, context);
    const { effect, details } = objectOf(rule['then']);
    const name = stringOf(effect).toLowerCase();
    return name !== 'disabled' && fits(rule['if'], field) ? { name, details } : undefined;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw refuse(400, 'InvalidPolicyRule', `The policy '${policy.definition.id}' cannot be evaluated: ${reason}`);
  }
}

function changed(body: Json, whole: Json, { name, details }: Effect): Json {
  const operations = name === 'append' ? details : objectOf(details)['operations'];
  const after = structuredClone(body);
  for (const each of Array.isArray(operations) ? operations.map(objectOf) : []) {
    const operation = stringOf(each['operation']).toLowerCase();
    const [, quoted, dotted] = /^tags(?:\['?(.+?)'?\]|\.(.+))$/i.exec(stringOf(each['field'])) ?? [];
    const tag = quoted ?? dotted;
    const members = tag === undefined ? memberPath(stringOf(each['field']), after) : ['tags', tag];
    const present = members.reduce<unknown>((value, member) => objectOf(value)[member], whole) !== undefined;
    if (operation === 'remove') removeAt(after, members);
    else if (operation === 'addorreplace' || !present) putIn(after, members, each['value']);
  }
  return after;
}

/** Where an alias leads to in a body: a top-level member such as `sku.name`, or one of the properties. */
function memberPath(alias: string, body: Json): string[] {
  const rest = alias.includes('/') ? alias.split('/').slice(2).join('.') : alias;
  const members = rest.split('.');
  return members[0] !== undefined && (members[0] in body || ['location', 'identity'].includes(members[0]))
    ? members
    : ['properties', ...members];
}

function putIn(body: Json, [first = '', ...rest]: readonly string[], value: unknown): void {
  if (rest.length === 0) body[first] = value;
  else {
    const inner = { ...objectOf(body[first]) };
    putIn(inner, rest, value);
    body[first] = inner;
  }
}

function removeAt(body: Json, [first = '', ...rest]: readonly string[]): void {
  if (rest.length === 0) delete body[first];
  else if (body[first] !== undefined) removeAt(objectOf(body[first]), rest);
}

function disallowed(path: ResourcePath, policies: readonly AppliedPolicy[]): Refusal {
  const identifiers = policies.map(({ assignment, definition }) => ({
    policyAssignment: { name: displayName(assignment), id: assignment.id },
    policyDefinition: { name: displayName(definition), id: definition.id },
  }));
  const additionalInfo = policies.map(({ assignment, definition, parameters }) => ({
    type: 'PolicyViolation',
    info: {
      policyDefinitionDisplayName: displayName(definition),
      policyDefinitionId: definition.id,
      policyDefinitionName: definition.name,
      policyDefinitionEffect: 'deny',
      policyAssignmentId: assignment.id,
      policyAssignmentName: assignment.name,
      policyAssignmentDisplayName: displayName(assignment),
      policyAssignmentScope: assignment.id.slice(0, assignment.id.toLowerCase().lastIndexOf('/providers/')),
      policyAssignmentParameters: parameters,
    },
  }));
  return refuse(
    403,
    'RequestDisallowedByPolicy',
    `Resource '${path.name}' was disallowed by policy. Policy identifiers: '${JSON.stringify(identifiers)}'.`,
    { target: path.name, additionalInfo },
  );
}

const displayName = ({ name, body }: AppliedPolicy['assignment']) =>
  stringOf(at(body, 'properties.displayName')) || name;

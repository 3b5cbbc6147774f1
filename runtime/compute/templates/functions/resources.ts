import { SecretValue } from '../../../base/secret-value.ts';
import {
  type DeploymentScope,
  groupScope,
  managementGroupScope,
  subscriptionScope,
} from '../document/deployments/deployment-scope.ts';
import { type KnownAnswer, type ReferenceTarget, undecidedEdge } from '../evaluation/scope.ts';
import {
  AzureAnswer,
  fromJson,
  isTemplateObject,
  SecretExpression,
  secretOf,
  type TemplateObject,
  type TemplateValue,
  templateObject,
  Unknown,
} from '../values/value.ts';
import { infoOf } from '../values/value-info.ts';
import { type Call, type FunctionTable, fail, refuseAt, stringAt, type TemplateFunction } from './function-spec.ts';
import { isType, resourceIdBelow, resourcePath } from './resource-names.ts';

const runtimePlaces = ['body of a resource', 'output'] as const;

function texts(args: readonly TemplateValue[], call: Call): string[] {
  return args.map((_, index) => stringAt(args, index, call));
}

/** The arguments before the type, the type, and the names. */
function parts(
  args: readonly TemplateValue[],
  most: number,
  call: Call,
): [scope: string[], type: string, names: string[]] {
  const all = texts(args, call);
  const at = all.findIndex(isType);
  if (at === -1 || at > most) fail(call, 'it has no type, such as Microsoft.Network/virtualNetworks');
  return [all.slice(0, at), all[at] as string, all.slice(at + 1)];
}

/** The target of `reference` or a list function, which becomes an edge of the resource that has the call. */
function targetOf(args: readonly TemplateValue[], hasVersion: boolean, call: Call): ReferenceTarget {
  const name = args[0];
  if (name instanceof Unknown) return { kind: 'decided later', ids: name.waitsFor };
  if (name instanceof SecretValue) fail(call, 'the name of the resource is a secret; give a name or an id');
  const target = call.scope.environment.reference(stringAt(args, 0, call), hasVersion, call.run);
  addEdges(target, call);
  return target;
}

function addEdges(target: ReferenceTarget, { run }: Call): void {
  for (const id of idsOf(target)) run.edges.add(id);
  if (target.kind === 'decided later') run.edges.add(undecidedEdge);
}

function answerOf(id: string, call: Call): KnownAnswer | undefined {
  return call.run.known.get(id.toLowerCase());
}

function imported(value: unknown, call: Call): TemplateValue {
  try {
    return fromJson(value);
  } catch (error) {
    if (error instanceof RangeError) return fail(call, `Azure's answer cannot be read: ${error.message}`);
    throw error;
  }
}

function evaluateReference(args: readonly TemplateValue[], call: Call): TemplateValue {
  const version = args[1] === undefined ? undefined : stringAt(args, 1, call);
  const target = targetOf(args, version !== undefined, call);
  const own = target.kind === 'resource' && version !== undefined ? { ...target, apiVersion: version } : target;
  return referenceValue(own, isFull(args, 2, call), call);
}

/** Whether an argument asks for the whole resource. */
function isFull(args: readonly TemplateValue[], index: number, call: Call): boolean {
  const full = args[index] === undefined ? '' : stringAt(args, index, call);
  if (full !== '' && full.toLowerCase() !== 'full') fail(call, "the last argument can only be 'Full'");
  return full !== '';
}

function evaluateReferences(args: readonly TemplateValue[], call: Call): TemplateValue {
  const targets = call.scope.environment.references(stringAt(args, 0, call), call.run);
  const full = isFull(args, 1, call);
  for (const target of targets) addEdges(target, call);
  if (targets.some(({ kind }) => kind === 'decided later'))
    return new Unknown(call.text, targets.flatMap(idsOf), call.again);
  const values = targets.map((target) => referenceValue(target, full, call));
  // Each element waits for its own resource, and comes back by an evaluation of the whole call.
  return values.map((value, index) => {
    if (!(value instanceof Unknown)) return value;
    const again = (run: unknown) => (call.again(run) as readonly TemplateValue[])[index] as TemplateValue;
    return new Unknown(`${call.text}[${index}]`, value.waitsFor, again);
  });
}

const idsOf = (target: ReferenceTarget): readonly string[] => (target.kind === 'resource' ? [target.id] : target.ids);

function referenceValue(target: ReferenceTarget, full: boolean, call: Call): TemplateValue {
  let body: TemplateValue;
  if (target.kind === 'decided later') return new Unknown(call.text, target.ids, call.again);
  if (target.kind === 'deployment') body = target.resource;
  else {
    const { resource: answer, readAtRequest } = answerOf(target.id, call) ?? {};
    if (readAtRequest === 'all' && target.apiVersion !== undefined) {
      const read = new AzureAnswer(target.id, target.apiVersion);
      return full ? read : new SecretExpression(undefined, [read, 'properties']);
    }
    if (target.apiVersion !== undefined) call.run.versions?.set(target.id.toLowerCase(), target.apiVersion);
    if (answer === undefined) return new Unknown(call.text, [target.id], call.again);
    body = imported(answer, call);
    call.run.reads?.imported(target.id, body);
  }
  if (full) return body;
  const properties = isTemplateObject(body) ? body['properties'] : undefined;
  if (properties === undefined) fail(call, "the resource has no properties; ask for 'Full'");
  call.run.reads?.read(body, 'properties', properties);
  return properties;
}

/** `list`, `listKeys` and all other functions whose name begins with `list`: a POST of that name. The answer is a secret. */
export const listFunction: TemplateFunction = {
  arity: [1, 3],
  doc: 'The answer of a POST of this name, such as `listKeys` or `list`; a secret.',
  state: 'known after apply',
  places: runtimePlaces,
  kind: 'passes',
  evaluate: (args, call) => {
    const target = targetOf(args, true, call);
    if (args[1] !== undefined) stringAt(args, 1, call);
    if (target.kind === 'deployment') return outputsOf(target.resource, call);
    if (target.kind === 'decided later') return new Unknown(call.text, target.ids, call.again, { isSecret: true });
    const version = args[1] ?? target.apiVersion;
    if (answerOf(target.id, call)?.readAtRequest !== undefined && typeof version === 'string' && isPlain(args[2]))
      return new AzureAnswer(target.id, version, call.name, args[2]);
    // Nobody sends a request with values: the answer stays unknown, and what needs it is refused when objects are made.
    if (args[2] !== undefined) return new Unknown(call.text, [target.id], call.again, { isSecret: true });
    const wanted = call.name.toLowerCase();
    const lists = Object.entries(answerOf(target.id, call)?.lists ?? {});
    const answer = lists.find(([name]) => name.toLowerCase() === wanted)?.[1];
    if (answer === undefined) return new Unknown(call.text, [target.id], call.again, { isSecret: true });
    return secretOf(imported(answer, call));
  },
};

/** Whether a value is all there, and has no secret. */
function isPlain(value: TemplateValue = null): boolean {
  const { secret, unknown, reference } = infoOf(value);
  return !secret && !unknown && !reference;
}

/** What `listOutputsWithSecureValues` shows of a deployment: the value of each output, as a secret. */
function outputsOf(deployment: TemplateObject, call: Call): TemplateValue {
  if (call.name.toLowerCase() !== 'listoutputswithsecurevalues') fail(call, 'a deployment lists its outputs alone');
  const outputs = (deployment['properties'] as TemplateObject)['outputs'] as TemplateObject;
  const values = Object.entries(outputs).map(([name, output]): [string, TemplateValue] => {
    const value = (output as TemplateObject)['value'] ?? null;
    return [name, value instanceof Unknown || value === null ? value : secretOf(value)];
  });
  return templateObject(values);
}

/** Functions of resources and their ids. */
export const resources: FunctionTable = {
  extensionResourceId: {
    arity: [3],
    doc: 'The id of a resource that extends another one.',
    evaluate: (args, call) => {
      const [base = '', type = '', ...names] = texts(args, call);
      // Compiled Bicep has the base without its group, `Microsoft.Storage/storageAccounts/a`, for the scope of an extension.
      if (base === '') return refuseAt(args, 0, call, 'the id of a resource');
      return `${base}${resourcePath(type, names)}`;
    },
  },
  managementGroup: {
    arity: [0, 0],
    doc: 'The management group: id, name, type, properties; in templates for one alone.',
    evaluate: (_, call) => ofScope(call, 'managementGroup'),
  },
  managementGroupResourceId: {
    arity: [2],
    doc: 'The id of a resource of a management group, which may come first.',
    evaluate: (args, call) => {
      const [[group], type, names] = parts(args, 1, call);
      const own = call.scope.environment.context.scope.managementGroup;
      const name = group ?? own ?? fail(call, 'the deployment has no management group: name one first');
      return `${managementGroupScope(name).id}${resourcePath(type, names)}`;
    },
  },
  reference: {
    arity: [1, 3],
    doc: "The properties of a resource, or all of it with 'Full'.",
    state: 'known after apply',
    places: runtimePlaces,
    kind: 'passes',
    evaluate: evaluateReference,
  },
  references: {
    arity: [1, 2],
    doc: "The properties of each element of a copy loop, by its symbolic name, or all of each with 'Full'.",
    state: 'known after apply',
    places: runtimePlaces,
    kind: 'passes',
    evaluate: evaluateReferences,
  },
  resourceGroup: {
    arity: [0, 0],
    doc: 'The resource group: id, name, type, location, tags, properties.',
    evaluate: (_, call) => ofScope(call, 'resourceGroup'),
  },
  resourceInfo: {
    arity: [1, 1],
    doc: 'The id, name, type and apiVersion of a resource, or of an element of a loop, by its symbolic name.',
    places: ['value that must be known before the deployment', ...runtimePlaces],
    evaluate: (args, call) => call.scope.environment.resourceInfo(stringAt(args, 0, call)),
  },
  resourceId: {
    arity: [2],
    doc: 'The id of a resource, in the scope of the deployment unless a subscription and a group come first.',
    evaluate: (args, call) => {
      const [scope, type, names] = parts(args, 2, call);
      return resourceIdBelow(idOfScope(scope, call.scope.environment.context.scope), type, names);
    },
  },
  subscription: {
    arity: [0, 0],
    doc: 'The subscription: id, subscriptionId, tenantId, displayName.',
    evaluate: (_, call) => ofScope(call, 'subscription'),
  },
  subscriptionResourceId: {
    arity: [2],
    doc: 'The id of a resource of a subscription.',
    evaluate: (args, call) => {
      const [[subscription = call.scope.environment.context.subscriptionId], type, names] = parts(args, 1, call);
      return resourceIdBelow(`/subscriptions/${subscription}`, type, names);
    },
  },
  tenant: {
    arity: [0, 0],
    doc: 'The tenant: id, tenantId.',
    evaluate: (_, call) => call.scope.environment.context.tenant,
  },
  tenantResourceId: {
    arity: [2],
    doc: 'The id of a resource of the tenant.',
    evaluate: (args, call) => {
      const [, type, names] = parts(args, 0, call);
      return resourcePath(type, names);
    },
  },
};

/** A value of the scope of the deployment. Throws TemplateError where the scope has none. */
function ofScope(call: Call, name: 'resourceGroup' | 'subscription' | 'managementGroup'): TemplateValue {
  const { scope, [name]: value } = call.scope.environment.context;
  return value ?? fail(call, `a deployment into a ${scope.kind} has none`);
}

const guid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The id of the scope that the arguments before the type name: a subscription and a group, one of them, or none. */
function idOfScope([first, second]: readonly string[], own: DeploymentScope): string {
  if (first === undefined) return own.id;
  if (second !== undefined) return groupScope(first, second).id;
  const isSubscription = own.kind !== 'resource group' && guid.test(first);
  if (isSubscription || own.subscriptionId === undefined) return subscriptionScope(first).id;
  return groupScope(own.subscriptionId, first).id;
}

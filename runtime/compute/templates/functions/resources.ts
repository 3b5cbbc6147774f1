import { builtInRoleId } from '../../../api/permissions/built-in-roles.ts';
import { SecretValue } from '../../../base/secret-value.ts';
import type { KnownAnswer, ReferenceTarget } from '../evaluation/scope.ts';
import { TemplateError } from '../problems.ts';
import { fromJson, isTemplateObject, secretOf, type TemplateValue, templateObject, Unknown } from '../values/value.ts';
import { type Call, type FunctionTable, fail, refuseAt, stringAt, type TemplateFunction } from './function-spec.ts';
import { isType, resourcePath } from './resource-names.ts';

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
  if (name instanceof Unknown) fail(call, 'the name of the resource is known after apply alone; give a name or an id');
  if (name instanceof SecretValue) fail(call, 'the name of the resource is a secret; give a name or an id');
  const target = call.scope.environment.reference(stringAt(args, 0, call), hasVersion, call.run);
  for (const id of target.kind === 'resource' ? [target.id] : target.ids) call.run.edges.add(id);
  return target;
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
  const full = args[2] === undefined ? '' : stringAt(args, 2, call);
  if (full !== '' && full.toLowerCase() !== 'full') fail(call, "the third argument can only be 'Full'");
  const target = targetOf(args, version !== undefined, call);
  let body: TemplateValue;
  if (target.kind === 'deployment') body = target.resource;
  else {
    const answer = answerOf(target.id, call)?.resource;
    if (answer === undefined) return new Unknown(call.text, [target.id], call.again);
    body = imported(answer, call);
  }
  if (full !== '') return body;
  const properties = isTemplateObject(body) ? body['properties'] : undefined;
  return properties ?? fail(call, "the resource has no properties; ask for 'Full'");
}

/** `listKeys` and all other functions whose name begins with `list`: a POST of that name. The answer is a secret. */
export const listFunction: TemplateFunction = {
  arity: [2, 3],
  doc: 'The answer of a POST of this name, such as `listKeys`; known after apply, and a secret.',
  places: runtimePlaces,
  kind: 'passes',
  evaluate: (args, call) => {
    const target = targetOf(args, true, call);
    stringAt(args, 1, call);
    if (target.kind === 'deployment') return fail(call, 'a deployment has nothing to list');
    if (args[2] !== undefined) return fail(call, 'a third argument (values of the request) is not supported');
    const wanted = call.name.toLowerCase();
    const lists = Object.entries(answerOf(target.id, call)?.lists ?? {});
    const answer = lists.find(([name]) => name.toLowerCase() === wanted)?.[1];
    if (answer === undefined) return new Unknown(call.text, [target.id], call.again, { isSecret: true });
    return secretOf(imported(answer, call));
  },
};

/** Functions of resources and their ids. */
export const resources: FunctionTable = {
  extensionResourceId: {
    arity: [3],
    doc: 'The id of a resource that extends another one.',
    evaluate: (args, call) => {
      const [base = '', type = '', ...names] = texts(args, call);
      if (!base.startsWith('/')) return refuseAt(args, 0, call, 'the id of a resource');
      return `${base}${resourcePath(type, names)}`;
    },
  },
  reference: {
    arity: [1, 3],
    doc: "The properties of a resource, or all of it with 'Full'; known after apply.",
    places: runtimePlaces,
    kind: 'passes',
    evaluate: evaluateReference,
  },
  resourceGroup: {
    arity: [0, 0],
    doc: 'The resource group: id, name, type, location, tags, properties.',
    evaluate: (_, call) => call.scope.environment.context.resourceGroup,
  },
  resourceId: {
    arity: [2],
    doc: 'The id of a resource, in the deployment’s resource group unless a subscription and a group come first.',
    evaluate: (args, call) => {
      const [scope, type, names] = parts(args, 2, call);
      const { subscriptionId, resourceGroupName } = call.scope.environment.context;
      const [subscription, group] = scope.length === 2 ? scope : [subscriptionId, scope[0] ?? resourceGroupName];
      return `/subscriptions/${subscription}/resourceGroups/${group}${resourcePath(type, names)}`;
    },
  },
  roleDefinitions: {
    arity: [1, 1],
    doc: 'A built-in role by its name: id and roleDefinitionId.',
    evaluate: (args, call) => {
      const name = stringAt(args, 0, call);
      const roleDefinitionId =
        builtInRoleId(name) ?? fail(call, `no built-in role has the name '${name.slice(0, 80)}'`);
      const scope = `/subscriptions/${call.scope.environment.context.subscriptionId}`;
      return templateObject([
        ['id', `${scope}/providers/Microsoft.Authorization/roleDefinitions/${roleDefinitionId}`],
        ['roleDefinitionId', roleDefinitionId],
      ]);
    },
  },
  subscription: {
    arity: [0, 0],
    doc: 'The subscription: id, subscriptionId, tenantId, displayName.',
    evaluate: (_, call) => call.scope.environment.context.subscription,
  },
  subscriptionResourceId: {
    arity: [2],
    doc: 'The id of a resource of a subscription.',
    evaluate: (args, call) => {
      const [[subscription = call.scope.environment.context.subscriptionId], type, names] = parts(args, 1, call);
      return `/subscriptions/${subscription}${resourcePath(type, names)}`;
    },
  },
  tenant: {
    arity: [0, 0],
    doc: 'The tenant: tenantId.',
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

/** The error of a name that no resource of the template has. */
export function notDefined(id: string): TemplateError {
  const azure = `Deployment template validation failed: 'The resource '${id.slice(0, 300)}' is not defined in the template.`;
  return new TemplateError('Dependency', `${azure} Name a resource of the template, or give an id and an API version`);
}

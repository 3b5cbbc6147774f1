import {
  type ExpandedResource,
  type ExpandedTemplate,
  expandTemplate,
  resolveUnknowns,
} from '../../../../runtime/compute/templates/expand-template.ts';
import {
  KeyVaultReference,
  type TemplateValue,
  templateObject,
} from '../../../../runtime/compute/templates/values/value.ts';
import { mapSpecial, revealSecrets } from '../../../../runtime/compute/templates/values/value-info.ts';
import { type Refusal, refuse } from '../../exchange.ts';
import { type Json, objectOf, stringOf } from '../../json.ts';
import type { BehaviourContext } from '../behaviour.ts';
import { groupIdOf } from '../resources/resource-path.ts';
import { assignmentName } from '../roles/role-definitions.ts';
import type { DeploymentScope } from './deployment-scope.ts';
import type { DeploymentRequest } from './template-source.ts';

/** A deployment whose template is to be expanded. */
export interface Expansion {
  readonly id: string;
  readonly name: string;
  readonly scope: DeploymentScope;
  readonly request: DeploymentRequest;
  /** Object id of the caller. */
  readonly deployer: string;
  /** Milliseconds since the epoch; each expansion of the deployment has the same. */
  readonly startedAt: number;
}

/** The answers of resources by ARM id, as far as they exist. */
export type KnownAnswers = NonNullable<Parameters<typeof resolveUnknowns>[1]>;

/** Expands the template of a deployment. Throws Azure's refusal of a template with problems. */
export function expand(expansion: Expansion, context: BehaviourContext): ExpandedTemplate {
  const expanded = tryExpand(expansion, expansion.request.template, context);
  const [first] = expanded.problems;
  if (first) throw invalidTemplate(first);
  return expanded;
}

function tryExpand(expansion: Expansion, template: Json, context: BehaviourContext): ExpandedTemplate {
  const { scope, request, name, id, startedAt, deployer } = expansion;
  const group = scope.resourceGroup === undefined ? undefined : context.state.resources.get(groupIdOf(scope));
  const subscriptionId = scope.subscriptionId ?? '';
  let guids = 0;
  const newGuid = () => {
    guids += 1;
    return assignmentName(id, String(startedAt), String(guids));
  };
  const tags = objectOf(group?.body['tags']) as Record<string, string>;
  const location = group ? stringOf(group.body['location']) : (request.location ?? '');
  const managementGroup = scope.id.split('/managementGroups/')[1];
  // The path says what the scope is, whatever the schema of the template.
  const text = JSON.stringify({ ...template, $schema: schemaOf(scope) });
  return expandTemplate(text, {
    subscription: { subscriptionId, tenantId: context.tenantId, ...nameOf(subscriptionId, context) },
    resourceGroup: { name: group?.name ?? '', location, tags },
    ...(managementGroup === undefined ? {} : { managementGroup: { name: managementGroup } }),
    deployment: { name },
    keepsDeployments: true,
    deployer: { objectId: deployer, tenantId: context.tenantId },
    parameters: request.parameters as NonNullable<Parameters<typeof expandTemplate>[1]['parameters']>,
    now: startedAt,
    newGuid,
  });
}

function schemaOf({ id, subscriptionId, resourceGroup }: DeploymentScope): string {
  const kind =
    resourceGroup !== undefined
      ? ''
      : subscriptionId !== undefined
        ? 'subscription'
        : id
          ? 'managementGroup'
          : 'tenant';
  const name = kind === '' ? 'deploymentTemplate' : `${kind}DeploymentTemplate`;
  return `https://schema.management.azure.com/schemas/2019-08-01/${name}.json#`;
}

function nameOf(subscriptionId: string, { state }: BehaviourContext): { displayName?: string } {
  const subscription = state.subscriptions[subscriptionId.toLowerCase()];
  return subscription ? { displayName: subscription.displayName } : {};
}

/** Azure's refusal of a template. */
function invalidTemplate({ code, message, line, column, path }: ExpandedTemplate['problems'][number]): Refusal {
  const prefix = 'Deployment template validation failed: ';
  const text = message.startsWith(prefix) ? message : `${prefix}'${message}'.`;
  const info = { lineNumber: line, linePosition: column, path };
  return refuse(400, code, text, { additionalInfo: [{ type: 'TemplateViolation', info }] });
}

/** The parameters of the template with the values that the deployment has, defaults included; secure ones without. */
export function parameterViews(expansion: Expansion, context: BehaviourContext): Json {
  const declared = objectOf(expansion.request.template['parameters']);
  const outputs = Object.entries(declared).map(([name, parameter]) => {
    return [name, { type: objectOf(parameter)['type'], value: `[parameters('${name}')]` }];
  });
  const { resources: _resources, outputs: _outputs, ...template } = expansion.request.template;
  const asOutputs = { ...template, resources: {}, languageVersion: '2.0', outputs: Object.fromEntries(outputs) };
  return outputViews(tryExpand(expansion, asOutputs, context), {}, context);
}

/** The outputs of a template once its resources are there; secure ones, and those that are null, without a value. */
export function outputViews({ outputs }: ExpandedTemplate, known: KnownAnswers, context: BehaviourContext): Json {
  const views = Object.entries(outputs).map(([name, { type, value }]) => {
    const shown = typeNames[type.toLowerCase()] ?? type;
    if (/^secure/i.test(type)) return [name, { type: shown }];
    const { body } = resolveUnknowns({ body: templateObject([['value', value]]) }, known);
    const own = body['value'] ?? null;
    return [name, { type: shown, ...(own !== null && { value: plain(own, context) }) }];
  });
  return Object.fromEntries(views);
}

const typeNames: Readonly<Record<string, string>> = {
  string: 'String',
  securestring: 'SecureString',
  int: 'Int',
  bool: 'Bool',
  object: 'Object',
  secureobject: 'SecureObject',
  array: 'Array',
};

/** The body of a resource with the answers that it needs, as a request sends it. */
export function requestBody(resource: ExpandedResource, known: KnownAnswers, context: BehaviourContext): Json {
  return objectOf(plain(resolveUnknowns(resource, known).body, context));
}

/** The value as JSON, with the values of secrets. */
function plain(value: TemplateValue, context: BehaviourContext): unknown {
  const revealed = revealSecrets(value);
  const read = mapSpecial(revealed, (part) => (part instanceof KeyVaultReference ? secretIn(part, context) : part));
  return JSON.parse(JSON.stringify(read, (_, part) => (typeof part === 'bigint' ? Number(part) : part)));
}

function secretIn({ vaultId, secretName, secretVersion }: KeyVaultReference, { state }: BehaviourContext): string {
  const name = vaultId.split('/').at(-1) ?? '';
  const versions = state.vaults[name.toLowerCase()]?.secrets[secretName.toLowerCase()]?.versions ?? [];
  const found =
    secretVersion === undefined ? versions.at(-1) : versions.find(({ version: id }) => id === secretVersion);
  const value = found?.value;
  if (typeof value === 'string') return value;
  throw refuse(
    400,
    'KeyVaultParameterReferenceSecretRetrieveFailed',
    `The secret of KeyVault parameter reference cannot be retrieved. Http status code: 'NotFound'. Error message: 'A secret with (name/id) ${secretName} was not found in this key vault.'.`,
  );
}

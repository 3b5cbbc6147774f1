/** Public templates beside the checkout, or in the folder of AZIMUTH_TEMPLATES, as deployments of a group each. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonObject } from '../../../runtime/base/json.ts';
import { expandLocation } from '../../../runtime/compute/deployments/expand-goal.ts';
import type { GoalNode } from '../../../runtime/compute/deployments/goal-nodes.ts';

const beside = join(process.env['AZIMUTH_TEMPLATES'] ?? '../shared/templates', 'corpus');
/** The folder of the templates; '' where it is not there. */
export const templateFolder = existsSync(beside) ? beside : '';
/** The region of all deployments of public templates. */
export const location = 'westeurope';
/** The Secret with the values of secure parameters. */
export const secretName = 'values';

const tags = { tags: { purpose: 'changed' } };
/**
 * Templates that stand alone in a group, with another value of a parameter that Azure takes for the same resources. Others
 * name resources or principals that are not there, or have made up values that Azure refuses.
 */
const changes: Readonly<Record<string, JsonObject>> = {
  t006: { storageAccountType: 'Standard_GRS' },
  t012: { maxSizeMB: '200' },
  t014: { port: '3307' },
  t016: { firstRecordIPAddress: '1.2.3.5' },
  t019: { fileServerVirtualMachineSize: 'Standard_A1' },
  t025: { virtualProcessorCount: 2 },
  t030: { zipFileBlobUri: 'https://example.org/package.zip' },
  t032: { tagName: 'Other' },
  t044: { resourceTags: { ProjectType: 'Other' } },
  ...{ t049: tags, t051: tags, t052: tags },
  t066: { skuUnits: 2 },
  t067: { sku: 'Premium' },
  ...{ t070: tags, t071: tags, t072: tags, t073: tags, t074: tags, t076: tags, t077: tags, t080: tags, t081: tags },
  ...{ t082: tags, t084: tags, t085: tags, t087: tags, t089: tags, t090: tags, t091: tags },
};
/** The templates to deploy. */
export const names = Object.keys(changes);

/** A template of the folder. */
export interface PublicTemplate {
  /** `t006`: the name of its namespace, group and deployment. */
  readonly name: string;
  readonly json: string;
  /** In the form of a deployment. */
  readonly parameters: Readonly<JsonObject>;
  /** The same with another value of one parameter. */
  readonly changed: Readonly<JsonObject>;
  /** Values of the Secret. */
  readonly secrets: Readonly<Record<string, string>>;
  /** The objects that it gets. */
  readonly nodes: readonly GoalNode[];
}

/** The templates to deploy. Throws for one that does not expand. */
export function publicTemplates(): PublicTemplate[] {
  return readdirSync(templateFolder)
    .filter((file) => names.includes(file.slice(0, 4)) && !file.endsWith('.parameters.json'))
    .map(read);
}

function read(file: string): PublicTemplate {
  const name = file.slice(0, 4);
  const json = readFileSync(join(templateFolder, file), 'utf8');
  const declared = Object.entries<{ type: string }>(JSON.parse(json).parameters ?? {});
  const isSecure = (parameter: string) =>
    declared.some(([each, { type }]) => each.toLowerCase() === parameter.toLowerCase() && /^secure/i.test(type));
  const values = join(templateFolder, file.replace(/\.json$/, '.parameters.json'));
  const given: Record<string, JsonObject> = existsSync(values)
    ? JSON.parse(readFileSync(values, 'utf8')).parameters
    : {};
  const secrets: Record<string, string> = {};
  const parameters: Record<string, JsonObject> = {};
  for (const [parameter, input] of Object.entries(given)) {
    const { value } = input;
    const isSecret = isSecure(parameter) && value !== undefined;
    if (isSecret) secrets[parameter] = typeof value === 'string' ? value : JSON.stringify(value);
    parameters[parameter] = isSecret ? { secret: { name: secretName, key: parameter } } : input;
  }
  const changed = { ...parameters };
  for (const [parameter, value] of Object.entries(changes[name] ?? {})) changed[parameter] = { value };
  return { name, json, parameters, changed, secrets, nodes: nodesOf(name, json, parameters) };
}

function nodesOf(name: string, json: string, parameters: JsonObject): readonly GoalNode[] {
  const subscriptionId = '11111111-1111-1111-1111-111111111111';
  const groupId = `/subscriptions/${subscriptionId}/resourceGroups/${name}`;
  const { nodes, problems } = expandLocation(
    {
      template: { arm: { json, owner: { name } } },
      parameters,
      locations: [{ name: location, parameters: {} }],
      at: '2026-01-01T00:00:00.000Z',
    },
    { namespace: name, deployment: name, location },
    { groupId, groupName: name, tenantId: subscriptionId },
  );
  const [problem] = problems;
  if (problem) throw new Error(`${name}: ${problem.path}: ${problem.message}`);
  return nodes;
}

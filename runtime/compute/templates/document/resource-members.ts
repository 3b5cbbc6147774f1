import { type JsonNode, memberOf } from '../json/json-node.ts';
import { TemplateError } from '../problems.ts';
import type { Instance } from './instance.ts';

/** Members that would be lost without a word in a body, or sent there, with the reason and a way. */
const refusedMembers: Readonly<Record<string, string>> = {
  resourceGroup:
    'A resource goes into the scope of its deployment, not by resourceGroup: put it into a deployment with resourceGroup',
  subscriptionId:
    'A resource goes into the scope of its deployment, not by subscriptionId: put it into a deployment with subscriptionId',
  '@options':
    "Azure alone follows @options (Bicep's onlyIfNotExists, waitUntil, retryOn): remove the decorator; for onlyIfNotExists use a condition over a parameter",
};

/** Throws TemplateError for a member that no resource but a deployment may have. */
export function refuseMembers(node: JsonNode): void {
  for (const [name, message] of Object.entries(refusedMembers))
    if (memberOf(node, name)) throw new TemplateError('Unsupported', message);
}

const providerOf = (type: string) => type.split('/')[0]?.toLowerCase();

/** The whole type and name of a resource inside of another one, which may be written as they are. */
export function childOf(parent: Pick<Instance, 'type' | 'name'>, type: string, name: string) {
  if (providerOf(type) === providerOf(parent.type)) return { type, name };
  return { type: `${parent.type}/${type}`, name: `${parent.name}/${name}` };
}

import { isObject } from '../base/json.ts';
import { yamlDocuments } from '../base/text/yaml.ts';
import { operatorKinds, tryKindOf } from './kinds.ts';

const served = new Set(operatorKinds);

/** Kinds of the programs whose objects take or make an object of another kind without naming its kind. */
const impliedKinds: Readonly<Record<string, (spec: Readonly<Record<string, unknown>>) => string | undefined>> = {
  'aadpodidentity.k8s.io/AzureIdentity': (spec) => (isObject(spec['identityRef']) ? identities : undefined),
  'azimuth.dev/ManagedSecret': ({ kind }) => (kind === 'Identity' ? identities : undefined),
};
const identities = 'managedidentity.azure.com/UserAssignedIdentity';

/**
 * Adds to `found`, as `group/Kind`, the kinds of Azure resources that a manifest needs to be defined: its own kind, and
 * those of its references and of owners that it names, at any depth. It does not read ARM templates, and knows nothing
 * of a value that is no manifest.
 */
export function addNamedKinds(manifest: unknown, names: Set<string>): void {
  // Without recursion: a tenant decides how deep an object goes.
  const open: unknown[] = [manifest];
  while (open.length > 0) {
    const value = open.pop();
    if (Array.isArray(value)) for (const item of value) open.push(item);
    if (!isObject(value)) continue;
    addKinds(value, names);
    for (const member of Object.values(value)) open.push(member);
  }
}

/** The same for each manifest of a text in YAML. Throws an Error with line and reason, which quotes nothing of the text. */
export function addKindsNamedIn(text: string, names: Set<string>): void {
  for (const manifest of yamlDocuments(text)) addNamedKinds(manifest, names);
}

/** Adds the kinds that one object names by its own members. */
function addKinds({ apiVersion, group, kind, spec }: Readonly<Record<string, unknown>>, names: Set<string>): void {
  const home = typeof apiVersion === 'string' ? apiVersion.split('/')[0] : group;
  if (typeof home !== 'string' || typeof kind !== 'string') return;
  const definition = tryKindOf(home, kind);
  if (!definition) return;
  if (served.has(definition)) names.add(`${definition.group}/${definition.kind}`);
  if (!isObject(spec)) return;
  const implied = impliedKinds[`${home}/${kind}`]?.(spec);
  if (implied !== undefined) names.add(implied);
  const owner = definition.arm?.owner;
  if (owner && !owner.extension && isObject(spec['owner']) && spec['owner']['name'] !== undefined) {
    for (const each of owner.kinds) names.add(`${owner.group}/${each}`);
  }
}

import { tryKindOf } from '../../api/kinds.ts';
import { machinesGroup } from '../../api/machines/common.ts';
import { isObject, type JsonObject } from '../../base/json.ts';
import { normalizeText } from '../../base/text/normalize.ts';

/** The key of an object inside its namespace: `VirtualMachine.compute.azure.com/web`. Blanks around a name do not count. */
export function nodeKey(group: string, kind: string, name: string): string {
  return `${kind}.${group}/${normalizeText(name)}`;
}

/** The group of `group/version`. */
export function groupOf(apiVersion: string): string {
  return apiVersion.split('/')[0] ?? '';
}

/** The group of an apiVersion as a manifest has it: the core group has no slash, and is ''. */
export function apiGroupOf(apiVersion: string): string {
  return apiVersion.includes('/') ? groupOf(apiVersion) : '';
}

/**
 * The keys of the objects that a manifest names: its owner, its references by group, kind and name, and its ManagedSecrets.
 * The Secrets that it reads are `Secret./name`.
 */
export function referencesOf(manifest: JsonObject): ReadonlySet<string> {
  const found = new Set<string>();
  const kind = tryKindOf(groupOf(String(manifest['apiVersion'])), String(manifest['kind']));
  const spec = manifest['spec'];
  if (isObject(spec) && isObject(spec['owner']) && typeof spec['owner']['name'] === 'string') {
    const { group, kind: ownKind, name } = spec['owner'] as { group?: unknown; kind?: unknown; name: string };
    const owner = kind?.arm?.owner;
    if (typeof group === 'string' && typeof ownKind === 'string') found.add(nodeKey(group, ownKind, name));
    else for (const each of owner?.kinds ?? []) found.add(nodeKey(owner?.group ?? '', each, name));
  }
  if (isObject(spec)) {
    const { operatorSpec, ...rest } = spec;
    walk(rest, found);
    // Other objects that the operatorSpec names are written for this object, not read.
    if (isObject(operatorSpec)) walk(operatorSpec['managedSecrets'], found);
  }
  return found;
}

function walk(value: unknown, found: Set<string>): void {
  if (Array.isArray(value)) for (const item of value) walk(item, found);
  if (!isObject(value)) return;
  const { group, kind, name, key, managedSecret } = value;
  if (typeof name === 'string') {
    if (typeof group === 'string' && typeof kind === 'string') found.add(nodeKey(group, kind, name));
    else if (typeof key === 'string') found.add(nodeKey('', 'Secret', name));
  }
  if (typeof managedSecret === 'string') found.add(nodeKey(machinesGroup, 'ManagedSecret', managedSecret));
  for (const inner of Object.values(value)) walk(inner, found);
}

/** The names of the Secrets that the operator writes for a manifest (`operatorSpec.secrets`), as keys. */
export function exportsOf(manifest: JsonObject): readonly string[] {
  const spec = manifest['spec'];
  const operatorSpec = isObject(spec) ? spec['operatorSpec'] : undefined;
  if (!isObject(operatorSpec)) return [];
  const { secrets } = operatorSpec;
  const destinations = isObject(secrets) ? Object.values(secrets) : Array.isArray(secrets) ? secrets : [];
  return destinations.flatMap((each) =>
    isObject(each) && typeof each['name'] === 'string' ? [nodeKey('', 'Secret', each['name'])] : [],
  );
}

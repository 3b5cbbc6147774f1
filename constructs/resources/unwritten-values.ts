import { ApiObject } from 'cdk8s';
import type { Construct, IConstruct } from 'constructs';

interface Reading {
  readonly name: string;
  readonly key: string;
  readonly path: string;
}

const checked = new WeakSet<IConstruct>();

/**
 * Makes the app check at synth that each key which its objects read from an exported Secret or ConfigMap is written by
 * someone. A Secret that no construct exports to is not checked: it may be in the cluster already.
 */
export function checkReaders(construct: Construct): void {
  const { root } = construct.node;
  if (checked.has(root)) return;
  checked.add(root);
  root.node.addValidation({ validate: () => unwritten(root) });
}

type Json = Record<string, unknown>;
/** An object or a list. */
const hasMembers = (value: unknown): value is Json => value !== null && typeof value === 'object';
const place = (namespace: unknown, name: unknown) => `${String(namespace ?? '')}/${String(name)}`;

function unwritten(root: IConstruct): string[] {
  const objects = root.node
    .findAll()
    .filter((each) => each instanceof ApiObject)
    .map((object) => ({ at: object.node.path, json: object.toJson() as Json }));
  const written = new Map<string, Set<string>>();
  const open = new Set<string>();
  const write = (at: string, key: unknown) => {
    if (typeof key === 'string') written.set(at, (written.get(at) ?? new Set()).add(key));
    else open.add(at);
  };
  for (const { json } of objects) {
    for (const { name, key } of exportsOf(json)) write(place(namespaceOf(json), name), key);
  }
  for (const { json } of objects.filter(({ json: { kind } }) => kind === 'Secret' || kind === 'ConfigMap')) {
    const at = place(namespaceOf(json), (json['metadata'] as Json)['name']);
    const members = ['data', 'stringData', 'binaryData'].flatMap((member) => Object.keys(json[member] ?? {}));
    if (written.has(at)) for (const key of members) write(at, key);
  }
  return objects.flatMap(({ at, json }) =>
    readings(json, '').flatMap(({ name, key, path }) => {
      const from = place(namespaceOf(json), name);
      const keys = written.get(from);
      if (!keys || open.has(from) || keys.has(key)) return [];
      return [
        `${at}: ${path} reads the key \`${key}\` of \`${name}\`, which nobody writes; written are ${[...keys].sort().join(', ')}`,
      ];
    }),
  );
}

const namespaceOf = (json: Json) => (hasMembers(json['metadata']) ? json['metadata']['namespace'] : undefined);

/** Destinations of `spec.operatorSpec`; a key that is absent may be any. */
function exportsOf(json: Json): { name: unknown; key: unknown }[] {
  const spec = hasMembers(json['spec']) ? json['spec']['operatorSpec'] : undefined;
  if (!hasMembers(spec)) return [];
  const { secrets = {}, configMaps = {}, secretExpressions = [], configMapExpressions = [] } = spec;
  return [secrets, configMaps, secretExpressions, configMapExpressions]
    .flatMap((each) => Object.values(each as object) as unknown[])
    .filter(hasMembers)
    .map(({ name, key }) => ({ name, key }));
}

/** Each reference to a key below the value: `{name, key}`, and volumes that name items. */
function readings(value: unknown, path: string): Reading[] {
  if (!hasMembers(value)) return [];
  const { name, secretName, key, items } = value;
  const from = typeof secretName === 'string' ? secretName : name;
  const own: Reading[] = [];
  if (typeof name === 'string' && typeof key === 'string') own.push({ name, key, path });
  if (typeof from === 'string' && Array.isArray(items)) {
    for (const item of items) if (hasMembers(item)) own.push({ name: from, key: String(item['key']), path });
  }
  const below = Object.entries(value).flatMap(([member, child]) =>
    readings(child, path === '' ? member : Array.isArray(value) ? `${path}[${member}]` : `${path}.${member}`),
  );
  return [...own, ...below];
}

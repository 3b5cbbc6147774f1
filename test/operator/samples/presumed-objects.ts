/** The objects that samples name but do not contain. */
import { type ArmKindDefinition, armKinds } from '../../../runtime/api/kinds.ts';
import { catalogueModel } from '../../../runtime/arm-kinds/catalogue-kind.ts';
import { objectLinks } from '../../../runtime/arm-kinds/object-links.ts';
import type { KubeObject } from '../../../runtime/kube/client/types.ts';
import { exampleName, requiredFields } from '../kinds/examples.ts';
import { armKindOf, exportsOf, groupOf, keyOf } from './samples.ts';

const metadata = (name: string) => ({ name, namespace: 'default' });
const anybody = '11111111-1111-4111-8111-111111111111';

/** Text that fits what samples read from ConfigMaps. */
const configValue = (key: string) => (/name|host|fqdn/i.test(key) ? 'sample' : anybody);

/**
 * The objects that samples name but do not contain, and that no sample exports: those of `others`, by `keyOf`, or made
 * from the catalogue's data.
 */
export function presumedBy(
  samples: readonly KubeObject[],
  around: { subscriptionId: string; tenantId: string },
  others: ReadonlyMap<string, KubeObject> = new Map(),
): KubeObject[] {
  const known = new Set(samples.map(keyOf));
  const exported = new Set(samples.flatMap(exportsOf));
  const values = new Map<string, KubeObject>();
  const made: KubeObject[] = [];
  const queue = [...samples];
  for (let object = queue.shift(); object; object = queue.shift()) {
    const kind = armKindOf(object);
    if (!kind?.arm) continue;
    const model = catalogueModel(kind);
    const owner = model.owner(object);
    for (const { group, kind: name, name: wanted } of objectLinks(model, object)) {
      if (group === '') continue;
      if (owner && 'kinds' in owner && owner.kinds.some((each) => known.has(`${owner.group} ${each} ${wanted}`))) {
        if (owner.kinds.includes(name)) continue;
      }
      const definition = armKinds.find((each) => each.group === group && each.kind === name);
      if (!definition || known.has(`${group} ${name} ${wanted}`)) continue;
      const extra = others.get(`${group} ${name} ${wanted}`) ?? presumedObject(definition, wanted, around);
      known.add(keyOf(extra));
      made.push(extra);
      queue.push(extra);
    }
    for (const input of model.inputs(object)) {
      if (input.type !== 'secret' && input.type !== 'configMap') continue;
      const kindName = input.type === 'secret' ? 'Secret' : 'ConfigMap';
      const id = `${kindName} ${input.name}`;
      const isExported = [...exported].some((each) => each.startsWith(`${id} `));
      // Without a key, the input is all keys of the Secret.
      if (exported.has(`${id} ${input.key}`) || (input.key === undefined && isExported)) continue;
      const value = input.type === 'secret' ? 'Abcd-1234-efgh' : configValue(input.key);
      const found: KubeObject = values.get(id) ?? { apiVersion: 'v1', kind: kindName, metadata: metadata(input.name) };
      const member = input.type === 'secret' ? 'stringData' : 'data';
      values.set(id, { ...found, [member]: { ...(found[member] as object | undefined), [input.key ?? 'key']: value } });
    }
  }
  return [...values.values(), ...made];
}

/** One object of each kind of ARM that none of the objects has, made from the catalogue's data. */
export function otherKinds(
  objects: readonly KubeObject[],
  around: { subscriptionId: string; tenantId: string },
): KubeObject[] {
  const present = new Set(objects.map((object) => `${groupOf(object)} ${object.kind}`));
  return armKinds
    .filter(({ group, kind, arm }) => arm.dataPlane === undefined && !present.has(`${group} ${kind}`))
    .map((kind) => presumedObject(kind, exampleName(kind), around));
}

function presumedObject(kind: ArmKindDefinition, name: string, around: { subscriptionId: string; tenantId: string }) {
  const { arm } = kind;
  const owner =
    arm.owner &&
    (arm.owner.extension
      ? { group: 'resources.azure.com', kind: 'ResourceGroup', name: 'aso-sample-rg' }
      : {
          name:
            arm.owner.kinds[0] === 'ResourceGroup' ? 'aso-sample-rg' : `presumed-${arm.owner.kinds[0]?.toLowerCase()}`,
        });
  const spec = { ...requiredFields(kind, { ...around, principalId: anybody }), ...(owner && { owner }) };
  const own = /StorageAccount$|^Registry$/.test(kind.kind) ? { azureName: name.replaceAll('-', '').slice(0, 24) } : {};
  return {
    apiVersion: `${kind.group}/${kind.versions[0]?.name}`,
    kind: kind.kind,
    metadata: metadata(name),
    spec: { ...spec, ...own },
  } as KubeObject;
}

import { armKinds, tryKindOf } from '../../api/kinds.ts';
import { machinesGroup } from '../../api/machines/common.ts';
import { armResourceModel } from '../../arm-kinds/arm-resource.ts';
import { catalogueModel } from '../../arm-kinds/catalogue-kind.ts';
import type { ArmModel } from '../../arm-kinds/model.ts';
import { isObject, type JsonObject } from '../../base/json.ts';
import type { KubeObject } from '../../kube/client/types.ts';
import type { GoalNode } from '../deployments/goal-nodes.ts';
import { nodeKey } from '../deployments/references.ts';

/** An object that a manifest names. */
export interface Need {
  /** In the manifest: `spec.owner`. */
  readonly path: string;
  /** One object of these keys has to exist: an owner may be of several kinds. */
  readonly anyOf: readonly string[];
}

/** The model of a kind that is an Azure resource. */
export function modelOf(group: string, kind: string): ArmModel | undefined {
  const { definition } = armResourceModel;
  if (definition.group === group && definition.kind === kind) return armResourceModel;
  const found = armKinds.find((each) => each.group === group && each.kind === kind);
  return found && catalogueModel(found);
}

/** The objects that the manifest of a node needs: owner, references, Secrets, ConfigMaps, ManagedSecrets. */
export function needsOf({ group, kind, manifest }: GoalNode): Need[] {
  const model = modelOf(group, kind);
  if (!model) return [];
  const object = manifest as unknown as KubeObject;
  const owner = model.owner(object);
  const owners: Need[] =
    owner && 'kinds' in owner
      ? [{ path: 'spec.owner', anyOf: owner.kinds.map((each) => nodeKey(owner.group, each, owner.name)) }]
      : [];
  const inputs = model.inputs(object).flatMap((input): Need[] => {
    const path = `spec.${input.path}`;
    switch (input.type) {
      case 'reference': {
        const { group: other = '', kind: otherKind, name } = input.reference;
        return otherKind && name && tryKindOf(other, otherKind)
          ? [{ path, anyOf: [nodeKey(other, otherKind, name)] }]
          : [];
      }
      case 'secret':
        return [{ path, anyOf: [nodeKey('', 'Secret', input.name)] }];
      case 'configMap':
        return [{ path, anyOf: [nodeKey('', 'ConfigMap', input.name)] }];
      default:
        return [];
    }
  });
  return [...owners, ...inputs, ...managedSecretsOf(manifest)];
}

/** The ManagedSecrets that a machine gets. */
export function managedSecretsOf(manifest: JsonObject): Need[] {
  const spec = manifest['spec'];
  const operatorSpec = isObject(spec) ? spec['operatorSpec'] : undefined;
  const list = isObject(operatorSpec) ? operatorSpec['managedSecrets'] : undefined;
  if (!Array.isArray(list)) return [];
  return list.flatMap((entry, index): Need[] => {
    const name: unknown = isObject(entry) ? entry['managedSecret'] : undefined;
    if (typeof name !== 'string') return [];
    const path = `spec.operatorSpec.managedSecrets[${index}]`;
    return [{ path, anyOf: [nodeKey(machinesGroup, 'ManagedSecret', name)] }];
  });
}

/** Keys of the Secrets and ConfigMaps that the operator writes for a manifest. */
export function writtenBy(manifest: JsonObject): string[] {
  const spec = manifest['spec'];
  const operatorSpec = isObject(spec) ? spec['operatorSpec'] : undefined;
  const names = new Set<string>();
  const walk = (value: unknown, level: number): void => {
    if (level > 6 || typeof value !== 'object' || value === null) return;
    if (isObject(value) && typeof value['name'] === 'string') names.add(value['name']);
    for (const member of Object.values(value)) walk(member, level + 1);
  };
  if (isObject(operatorSpec)) {
    const { managedSecrets: _, ...written } = operatorSpec;
    walk(written, 0);
  }
  return [...names].flatMap((name) => [nodeKey('', 'Secret', name), nodeKey('', 'ConfigMap', name)]);
}

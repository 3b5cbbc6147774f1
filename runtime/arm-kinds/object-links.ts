import { managedSecret } from '../api/machines/managed-secret.ts';
import type { KubeObject } from '../kube/client/types.ts';
import type { ArmModel } from './model.ts';

/** An object that another one names in its spec, in the same namespace; it may not exist. */
export interface ObjectLink {
  /** The relation, as the operator's dependency graph names it; `config` is a ConfigMap. */
  readonly relation: 'owner' | 'reference' | 'secret' | 'config';
  /** '' for the core group. */
  readonly group: string;
  readonly kind: string;
  readonly name: string;
}

/**
 * The objects that an Azure resource names: its owner, and its references in the order of their fields. References by
 * ARM id name none. An owner that may be of several kinds gives one link for each. Throws for a spec that the schema of
 * the kind does not allow.
 */
export function objectLinks(model: ArmModel, object: KubeObject): ObjectLink[] {
  const owner = model.owner(object);
  const owners = owner && 'kinds' in owner ? owner.kinds.map((kind) => ({ ...owner, kind })) : [];
  return [
    ...owners.map(({ group, kind, name }): ObjectLink => ({ relation: 'owner', group, kind, name })),
    ...model.inputs(object).flatMap((input): ObjectLink[] => {
      switch (input.type) {
        case 'reference': {
          const { armId, group = '', kind = '', name = '' } = input.reference;
          return armId === undefined ? [{ relation: 'reference', group, kind, name }] : [];
        }
        case 'secret':
        case 'credentials':
          return [{ relation: 'secret', group: '', kind: 'Secret', name: input.name }];
        case 'configMap':
          return [{ relation: 'config', group: '', kind: 'ConfigMap', name: input.name }];
        case 'managedSecret': {
          const { group, kind } = managedSecret;
          return [{ relation: 'reference', group, kind, name: input.name }];
        }
        default:
          return [];
      }
    }),
  ];
}

import { namespaceCredential } from '../../arm-kinds/names.ts';
import type { KubeObject } from '../../kube/client/types.ts';
import { nodeKey } from '../deployments/references.ts';
import type { KindLookup } from './problems/kind-problems.ts';

/** Key of the Secret with the credential of a namespace. */
export const namespaceSecret = nodeKey('', 'Secret', namespaceCredential);

/** An object as the API server would store it, or why it refuses it. */
export type AppliedObject = KubeObject | { readonly refused: string };

/** The observed state of the cluster. */
export interface PlanObservation {
  /** By namespace and key. `Unknown`: it may exist; undefined: it does not. */
  object(namespace: string, key: string): KubeObject | 'Unknown' | undefined;
  /** The result of an apply that was not stored; undefined where there was none. */
  applied?(namespace: string, key: string): AppliedObject | undefined;
  /** Whether the cluster serves a kind in a version. @default not known for any */
  readonly isServed?: KindLookup;
  /** The objects whose controller is the ComputeDeployment with this uid. */
  ownedBy(uid: string): readonly KubeObject[];
  /** Field managers whose fields go with the manifest, beside that of deployments. */
  readonly managers: ReadonlySet<string>;
}

/** No object exists, and nothing is known of the objects that the manifests name. */
export const offline: PlanObservation = {
  object: () => undefined,
  ownedBy: () => [],
  managers: new Set(),
};

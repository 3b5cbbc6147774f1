import { kindOf, resourceOf } from '../../../runtime/api/kinds.ts';
import { podsType } from '../../../runtime/identity/objects.ts';
import type { KubeObject, ResourceType } from '../../../runtime/kube/client/types.ts';
import { condition, events, types as operatorTypes, secrets } from '../../operator/support.ts';
import { hostile } from './tenant-setup.ts';
import type { TenantWorld } from './tenant-world.ts';

/** What a hostile tenant does, and what must hold all the same. */
export interface Attack {
  /** Of the list of holes: A1, B2. */
  readonly point: string;
  readonly name: string;
  /** What others, such as the cluster's administrator, have set up before. */
  readonly before?: (world: TenantWorld) => Promise<unknown>;
  /** Objects that the tenant writes into its own namespace. */
  readonly writes?: (world: TenantWorld) => readonly Written[];
  /** Why the API server must refuse them: the profile gives no rights on the kind, or its schema does not take them. */
  readonly refused?: 'rights' | 'schema';
  /** What the tenant does besides, or after its objects were written; called once. */
  readonly acts?: (world: TenantWorld) => Promise<unknown>;
  /** What the tenant goes on with while the good one is measured, until the signal. */
  readonly during?: (world: TenantWorld, signal: AbortSignal) => Promise<unknown>;
  /** Whether a program took notice. An attack that nobody noticed shows nothing, and fails the run. */
  readonly seen: (world: TenantWorld) => Promise<boolean>;
  /** What does not hold, in words; nothing where all does. Asked when the good tenant has been measured. */
  readonly broken: (world: TenantWorld) => Promise<string | undefined>;
}

/** An object of the tenant, and how the API server addresses its kind. */
export interface Written {
  readonly type: ResourceType;
  readonly object: KubeObject;
}

export const types = {
  ...operatorTypes,
  azureIdentity: resourceOf(kindOf('aadpodidentity.k8s.io', 'AzureIdentity')),
  binding: resourceOf(kindOf('aadpodidentity.k8s.io', 'AzureIdentityBinding')),
  assigned: resourceOf(kindOf('aadpodidentity.k8s.io', 'AzureAssignedIdentity')),
  secret: secrets,
  pod: podsType,
  events,
} as const satisfies Record<string, ResourceType>;

/** An object in the tenant's namespace. */
export function written(
  type: ResourceType,
  name: string,
  spec: object | undefined,
  annotations: Readonly<Record<string, string>> = {},
  more: object = {},
): Written {
  const apiVersion = type.group === '' ? type.version : `${type.group}/${type.version}`;
  const metadata = { namespace: hostile, name, annotations };
  return { type, object: { apiVersion, kind: type.kind, metadata, ...(spec && { spec }), ...more } as KubeObject };
}

/** Whether the operator gave the object of the tenant a Ready condition. */
export async function hasReadyCondition(world: TenantWorld, type: ResourceType, name: string): Promise<boolean> {
  return condition(await world.admin.tryGet(type, { namespace: hostile, name })) !== undefined;
}

/** Requests of the operator to ARM that change something and match. */
export const writesTo = async (world: TenantWorld, path: RegExp) =>
  (await world.azure.journal({ service: 'arm', path })).filter(
    ({ method, clientId }) => !/^(GET|HEAD)$/.test(method) && clientId !== world.azure.defaultApp.clientId,
  );

/** A text for a list that should be empty. */
export const unless = (fine: boolean, problem: string): string | undefined => (fine ? undefined : problem);

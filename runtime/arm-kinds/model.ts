import type { ErrorOverride, KindDefinition } from '../api/types.ts';
import type { JsonObject } from '../base/json.ts';
import type { KubeObject } from '../kube/client/types.ts';
import type { ExportPlan } from './export/export-plan.ts';
import type { KindExtension } from './extensions/extension.ts';
import type { Input, ResolvedInputs } from './inputs.ts';

/** The owner as the spec names it. */
export type OwnerLink =
  | { readonly armId: string }
  /** An object of this namespace: of the first of these kinds that has an object of the name. */
  | { readonly group: string; readonly kinds: readonly string[]; readonly name: string };

/** The owner once it exists. */
export interface ExistingOwner {
  readonly armId: string;
}

/**
 * How objects of one kind become ARM resources: the seam between the one reconciler and the kinds. Pure; made from the
 * catalogue's data, or from the object itself for ArmResource.
 */
export interface ArmModel {
  readonly definition: KindDefinition;
  /** False for singletons that live and die with their owner. */
  readonly deletable: boolean;
  readonly errorOverrides: readonly ErrorOverride[];
  readonly extension: KindExtension;
  armType(object: KubeObject): string;
  apiVersion(object: KubeObject): string;
  /** Undefined for kinds at the level of the subscription or tenant. */
  owner(object: KubeObject): OwnerLink | undefined;
  inputs(object: KubeObject): readonly Input[];
  /** The ARM id. Throws AZ_CONFIG_INVALID for a name that cannot be part of one. */
  resourceId(
    object: KubeObject,
    owner: ExistingOwner | undefined,
    subscriptionId: string,
    /** @default none: enough where `nameInput` gives nothing */
    inputs?: ResolvedInputs,
  ): string;
  /** Path of the input that gives the name in Azure; undefined where the object itself names it. */
  nameInput(object: KubeObject): string | undefined;
  /** Body of the PUT, secrets wrapped. */
  body(object: KubeObject, inputs: ResolvedInputs): JsonObject;
  /** Where a field of the spec is in the body, by members; undefined if it is not there. */
  bodyPath(field: readonly string[]): readonly string[] | undefined;
  /** Status members for an answer of ARM, without conditions, and without what the object has from Secrets. */
  status(live: JsonObject, object?: KubeObject): JsonObject;
  /** `operatorVault` is the vault of objects that name none. Throws AZ_TERMINAL for a destination that cannot be. */
  exports(object: KubeObject, resourceId: string, operatorVault?: string): ExportPlan;
  /** CEL over `self`, ARM's answer, that must be true before the object is ready. */
  readyWhen(object: KubeObject): string | undefined;
}

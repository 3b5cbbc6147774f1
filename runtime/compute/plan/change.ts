import type { JsonObject } from '../../base/json.ts';
import type { UndecidedResource } from '../deployments/arm-goal.ts';
import type { GoalNode } from '../deployments/goal-nodes.ts';
import type { Strategy } from '../deployments/strategy.ts';
import type { WhatIf } from '../what-if/what-if.ts';

/** The planned change of an object. `Replace`: Azure does not make the change on the resource that exists. */
export const planActions = ['Create', 'Modify', 'Replace', 'Delete', 'None', 'Unknown'] as const;
/** One of `planActions`. */
export type PlanAction = (typeof planActions)[number];

/** One value that would change. A secret value has neither `before` nor `after`, and `isSecret`. */
export interface PathChange {
  /** Such as `spec.addressSpace.addressPrefixes[0]`. */
  readonly path: string;
  /** Absent: the member is new. */
  readonly before?: unknown;
  /** Absent: the member goes. */
  readonly after?: unknown;
  readonly isSecret?: true;
  /** Whether Azure does not change it on an existing resource. */
  readonly isFixed?: true;
  /** The path is of the body in Azure, such as `properties.sku.name`: the spec is the same, Azure has another value. */
  readonly isInAzure?: true;
}

/** The planned change of one object, with its paths. */
export interface PlannedChange {
  /** `VirtualMachine.compute.azure.com/web` */
  readonly key: string;
  readonly namespace: string;
  /** Name of the ComputeDeployment that makes the object. */
  readonly deployment?: string;
  readonly location?: string;
  readonly action: PlanAction;
  readonly paths: readonly PathChange[];
  /** Sentences for people, such as the version of a ManagedSecret. */
  readonly notes: readonly string[];
  /** Keys of objects of the same plan and namespace that come before. */
  readonly after: readonly string[];
}

/** Why something cannot be applied. */
export interface PlanProblem {
  /** Where: file, line, document, and the place in it: `shop.yaml:12 documents[2].spec.owner`. */
  readonly path: string;
  /** The problem, and how to fix it. */
  readonly message: string;
}

/** All planned changes, in a possible order. Apply nothing while there are problems. */
export interface Plan {
  readonly changes: readonly PlannedChange[];
  readonly problems: readonly PlanProblem[];
  /** Omissions of the plan, for people. */
  readonly notes: readonly string[];
  /** The same as Azure's what-if has it, of a plan with ARM templates. */
  readonly whatIf?: WhatIf;
}

/** Objects that belong together: a ComputeDeployment with its objects, or the other manifests of a namespace. */
export interface PlanUnit {
  readonly namespace: string;
  readonly nodes: readonly GoalNode[];
  /** Where each node stands in the file, by key. */
  readonly paths: ReadonlyMap<string, string>;
  readonly deployment?: {
    readonly name: string;
    readonly path: string;
    readonly manifest: JsonObject;
    readonly strategy: Strategy;
    /** Resources that the plan leaves out, as answers of Azure decide about them. */
    readonly undecided: readonly UndecidedResource[];
  };
}

import type { Json } from '../../json.ts';
import type { DeploymentScope } from '../deployments/deployment-scope.ts';
import type { Caller } from '../resources/resource-engine.ts';
import type { StoredResource } from '../resources/stored-resources.ts';

/** The ARM type of deployment stacks. */
export const stackType = 'Microsoft.Resources/deploymentStacks';

/** What becomes of resources that leave a stack, and of their resource groups. */
export interface UnmanageAction {
  readonly resources: 'delete' | 'detach';
  readonly resourceGroups: 'delete' | 'detach';
}

/** A resource that left the stack and could not be deleted. */
export interface FailedResource {
  readonly id: string;
  readonly error: Json;
}

/** What the sandbox keeps of a stack beside its resource. Ids are ARM ids. */
export interface StackRecord {
  readonly scope: DeploymentScope;
  readonly caller: Caller;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly correlationId: string;
  /** The operation that its clients poll. */
  readonly operationId: string;
  /** The members of the request's properties that GET shows. */
  readonly shown: Json;
  readonly location?: string;
  readonly tags?: Json;
  readonly unmanage: UnmanageAction;
  readonly template: Json;
  /** The deployment of the template. */
  readonly deploymentId: string;
  state: 'deploying' | 'deleting' | 'deletingResources' | 'succeeded' | 'failed';
  managed: string[];
  /** Resources that have left the stack and are to be deleted, the first to be deleted first. */
  leaving: string[];
  detached: string[];
  deleted: string[];
  failed: FailedResource[];
  endedAt?: number;
  error?: Json;
}

/** The record of a stored stack. */
export const stackRecordOf = (resource: StoredResource) => resource.system['stack'] as StackRecord;

/** Whether the stack is at work. */
export const isAtWork = ({ state }: StackRecord) => state !== 'succeeded' && state !== 'failed';

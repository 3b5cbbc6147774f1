import type { Json } from '../../json.ts';
import type { Caller } from '../resources/resource-engine.ts';
import type { StoredResource } from '../resources/stored-resources.ts';
import type { DeploymentScope } from './deployment-scope.ts';
import type { Expansion } from './template-expansion.ts';
import type { DeploymentRequest } from './template-source.ts';

/** One resource of a running deployment. Times are milliseconds since the epoch. */
export interface Step {
  readonly id: string;
  readonly type: string;
  readonly name: string;
  readonly apiVersion: string;
  state: 'waiting' | 'running' | 'succeeded' | 'failed';
  /** The operation in Azure that the step waits for. */
  operationId?: string;
  /** Name of its operation of the deployment. */
  readonly operation: string;
  startedAt?: number;
  endedAt?: number;
  statusCode?: string;
  error?: Json;
}

/** What the sandbox keeps of a deployment beside its resource. */
export interface DeploymentRecord {
  readonly scope: DeploymentScope;
  readonly request: DeploymentRequest;
  readonly caller: Caller;
  readonly startedAt: number;
  readonly correlationId: string;
  readonly steps: Step[];
  state: 'Accepted' | 'Running' | 'Succeeded' | 'Failed' | 'Canceled';
  endedAt?: number;
  parameters: Json;
  outputs?: Json;
  error?: Json;
  /** How it is to end, by a fault of a test. */
  readonly failure?: { readonly code: string; readonly message: string };
}

/** The record of a stored deployment. */
export const recordOf = (resource: StoredResource) => resource.system['deployment'] as DeploymentRecord;

/** Whether the deployment has not ended. */
export const isRunning = ({ state }: DeploymentRecord) => state === 'Accepted' || state === 'Running';

/** The deployment, for its template. */
export function expansionOf({ id, name }: StoredResource, record: DeploymentRecord): Expansion {
  const { scope, request, startedAt, caller } = record;
  return { id, name, scope, request, startedAt, deployer: caller.objectId };
}

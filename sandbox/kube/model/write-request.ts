import type { User } from '../model/user.ts';
import type { Resource } from './resource.ts';

/** The options of a write request. */
export interface WriteContext {
  readonly manager: string;
  readonly dryRun: boolean;
  readonly fieldValidation: 'Ignore' | 'Warn' | 'Strict';
  /** Sentences for the response's Warning headers. */
  readonly warnings: string[];
  /** The caller; undefined for the sandbox's own controllers. */
  readonly user?: User;
}

/** The object that a request is about. */
export interface Target {
  readonly resource: Resource;
  /** '' for cluster-scoped resources. */
  readonly namespace: string;
  readonly name: string;
  /** '' or 'status'. */
  readonly subresource: string;
}

/** The options of a DELETE. */
export interface DeleteRequest {
  readonly propagationPolicy?: 'Foreground' | 'Background' | 'Orphan';
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string };
  readonly dryRun: boolean;
}

/** Writes of the sandbox's own controllers. */
export const internalWrite: WriteContext = {
  manager: 'kube-controller-manager',
  dryRun: false,
  fieldValidation: 'Ignore',
  warnings: [],
};

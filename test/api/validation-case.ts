import type { KubeObject } from '../../runtime/kube/client/types.ts';

/** An object, and whether the API server accepts it. */
export interface ValidationCase {
  readonly name: string;
  readonly object: KubeObject;
  /** Path of the one problem; absent where the object is accepted. */
  readonly refusedAt?: string;
  /** A part of the message at `refusedAt`. */
  readonly because?: RegExp;
}

/** Any spec, or members beside it. */
export type Body = Record<string, unknown>;

/** Objects of a kind, with the name `sample`: of a spec, and further members. */
export const objectsOf =
  (apiVersion: string, kind: string) =>
  (spec: Body | undefined, more: Body = {}) =>
    ({
      apiVersion,
      kind,
      metadata: { name: 'sample', namespace: 'default' },
      ...(spec && { spec }),
      ...more,
    }) as KubeObject;

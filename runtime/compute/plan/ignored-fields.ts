import { type BodyPath, ignoredPaths } from '../../arm-kinds/body/ignored-fields.ts';
import type { ArmModel } from '../../arm-kinds/model.ts';
import { AzimuthError } from '../../base/errors.ts';
import type { KubeObject } from '../../kube/client/types.ts';

/** The places in the body that an annotation leaves to others, or the problem of the annotation. */
export function ignoredFields(
  model: ArmModel,
  object: KubeObject,
): { readonly paths: readonly BodyPath[]; readonly problem?: string } {
  try {
    return { paths: ignoredPaths(model, object) };
  } catch (error) {
    if (error instanceof AzimuthError) return { paths: [], problem: error.message };
    throw error;
  }
}

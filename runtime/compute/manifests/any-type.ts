import { armResource } from '../../api/arm/arm-resource.ts';
import { storedVersion } from '../../api/preferred-version.ts';
import { validate } from '../../api/validate.ts';
import { parseResourceId } from '../../azure/arm/resource-ids.ts';
import type { KubeObject } from '../../kube/client/types.ts';
import { TemplateError } from '../templates/problems.ts';
import type { SpecInput, TypedObject } from './typed-spec.ts';

/** The ArmResource for a body: the body as it is. Throws TemplateError for a resource without an API version. */
export function anyTypeObject({ resource, parent, tokens, metadata, refer }: SpecInput): TypedObject {
  const { id, type, apiVersion } = resource;
  if (apiVersion === undefined) {
    throw new TemplateError(
      'Manifest',
      'The resource has no apiVersion, and no kind of the catalogue takes it: add one',
    );
  }
  const owner = refer(parent);
  const object: KubeObject = {
    apiVersion: `${armResource.group}/${storedVersion(armResource)}`,
    kind: armResource.kind,
    metadata,
    spec: {
      type: `${type}@${apiVersion}`,
      azureName: parseResourceId(id).name,
      ...('armId' in owner ? { scope: parent } : { owner }),
      body: tokens.body,
    },
  };
  const [problem] = validate(armResource, object, { strict: true });
  return problem ? { refused: `${problem.path}, which must be ${problem.expected}` } : { object, secrets: {} };
}

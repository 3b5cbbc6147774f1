import { armResource } from '../../api/arm/arm-resource.ts';
import { armKindsOfType } from '../../api/kinds.ts';
import { storedVersion } from '../../api/preferred-version.ts';
import { validate } from '../../api/validate.ts';
import { parseResourceId } from '../../azure/arm/resource-ids.ts';
import type { KubeObject } from '../../kube/client/types.ts';
import { TemplateError } from '../templates/problems.ts';
import { withoutSecrets } from './body-secrets.ts';
import type { SpecInput, TypedObject } from './typed-spec.ts';

/**
 * The ArmResource for a body: the body as it is, with its secrets in Secrets. A resource without an API version gets the newest of the catalogue. Throws
 * TemplateError where the catalogue has none for its type.
 */
export function anyTypeObject({ resource, parent, tokens, metadata, refer }: SpecInput): TypedObject {
  const { id, type, apiVersion = newestVersion(type) } = resource;
  if (apiVersion === undefined) {
    throw new TemplateError(
      'Manifest',
      'The resource has no apiVersion, and its type is in no kind of the catalogue: add one',
    );
  }
  const owner = refer(parent);
  const { body, bodySecrets, secrets } = withoutSecrets(tokens, metadata.name);
  const object: KubeObject = {
    apiVersion: `${armResource.group}/${storedVersion(armResource)}`,
    kind: armResource.kind,
    metadata,
    spec: {
      type: `${type}@${apiVersion}`,
      azureName: parseResourceId(id).name,
      ...('armId' in owner ? { scope: parent } : { owner }),
      body,
      ...(bodySecrets.length > 0 && { bodySecrets }),
    },
  };
  const [problem] = validate(armResource, object, { strict: true });
  return problem ? { refused: `${problem.path}, which must be ${problem.expected}` } : { object, secrets };
}

/** The newest API version of a type in the catalogue; a preview only where there is no other. */
export function newestVersion(type: string): string | undefined {
  const versions = armKindsOfType(type).flatMap(({ arm }) => Object.values(arm.apiVersions));
  const stable = versions.filter((version) => !version.includes('preview'));
  return (stable.length > 0 ? stable : versions).sort().at(-1);
}

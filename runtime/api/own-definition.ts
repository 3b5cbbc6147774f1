/** Label of a definition that says whose it is; kustomize and Helm charts may write another value over ours. */
export const nameLabel = 'app.kubernetes.io/name';

/** Its value on Azimuth's definitions, since the first version. */
export const azimuthName = 'azimuth';

/** Its value on the definitions that ASO v2 installs (facts: azure-service-operator 2.4). */
const asoName = 'azure-service-operator';

/** Annotation of Azimuth's definitions, whatever becomes of their labels. */
export const definitionAnnotation = 'azimuth.dev/definition';

/** Labels and annotations of a CustomResourceDefinition. */
export interface DefinitionMetadata {
  readonly labels?: Readonly<Record<string, string>> | undefined;
  readonly annotations?: Readonly<Record<string, string>> | undefined;
}

/**
 * Whether a definition is Azimuth's: it has the label, or the annotation where a tool has changed the label. One that
 * ASO v2 has taken over may still have the annotation, and is ASO's.
 */
export function isOwnDefinition({ labels = {}, annotations = {} }: DefinitionMetadata): boolean {
  const name = labels[nameLabel];
  if (name === asoName) return false;
  return name === azimuthName || annotations[definitionAnnotation] === 'true';
}

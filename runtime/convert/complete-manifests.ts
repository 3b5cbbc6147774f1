import { validate } from '../api/validate.ts';
import { isObject, type JsonObject } from '../base/json.ts';
import type { ArmObjects } from '../compute/deployments/arm-objects.ts';
import { isKnownAfterApply, withMarkers } from '../compute/deployments/open-values.ts';
import { groupOf, nodeKey, referencesOf } from '../compute/deployments/references.ts';
import type { TemplateManifest } from '../compute/manifests/template-manifest.ts';
import type { Position } from '../compute/templates/problems.ts';
import type { ImportedManifest } from '../import/manifests.ts';
import type { KubeObject } from '../kube/client/types.ts';
import type { ConvertedTemplate, ConvertProblem } from './converted-template.ts';

/** The manifests of objects that are complete, and what the others lack. */
export function completeManifests(
  { manifests, listed }: ArmObjects,
  placeOf: (position: Position) => string,
): ConvertedTemplate {
  const problems: ConvertProblem[] = [];
  const notes: string[] = [];
  const complete = manifests.filter((manifest) => {
    const reason = incomplete(manifest);
    if (reason !== undefined) problems.push({ place: placeOf(manifest.position), message: `not converted: ${reason}` });
    return reason === undefined;
  });
  const keys = new Map(complete.map((manifest) => [manifest.id.toLowerCase(), keyOf(manifest.object)]));
  const left = new Set(manifests.filter((each) => !complete.includes(each)).map(({ object }) => keyOf(object)));
  for (const { object, secrets, dependsOn, position } of complete) {
    const add = (message: string) => problems.push({ place: placeOf(position), message });
    const references = referencesOf(object as unknown as JsonObject);
    for (const { name, data } of secrets) {
      if (listed.written.has(name)) continue;
      add(
        `converted without the Secret ${name}, as no secret is printed: create it with the keys ${Object.keys(data).join(', ')}`,
      );
    }
    for (const key of references) if (left.has(key)) add(`refers to ${key}, which is not converted`);
    const unnamed = dependsOn.flatMap((id) => keys.get(id.toLowerCase()) ?? []).filter((key) => !references.has(key));
    if (unnamed.length > 0)
      notes.push(`${keyOf(object)} does not wait for ${unnamed.join(', ')}: dependsOn has no place in an object`);
  }
  return { manifests: complete.map(imported), problems, notes };
}

function imported({ id, definition, object }: TemplateManifest): ImportedManifest {
  return { id, definition, object: { ...object, spec: withMarkers(object['spec']) } };
}

/** Why the object cannot be applied; undefined for a complete one. */
function incomplete({ definition, object, waitsFor }: TemplateManifest): string | undefined {
  const [open] = openParts(withMarkers(object['spec']), 'spec');
  if (open !== undefined)
    return `${open} is known after Azure has ${waitsFor.join(', ')}: a ComputeDeployment waits for it`;
  const [problem] = validate(definition, object, { strict: true });
  return problem && `the schema of ${definition.kind} wants ${problem.path} to be ${problem.expected}`;
}

/** The values of Azure's answers, each as its path and its expression. */
function openParts(value: unknown, path: string): string[] {
  if (isKnownAfterApply(value)) return [`${path} (${value.knownAfterApply})`];
  if (Array.isArray(value)) return value.flatMap((item, index) => openParts(item, `${path}[${index}]`));
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, member]) => openParts(member, `${path}.${name}`));
}

const keyOf = ({ apiVersion, kind, metadata }: KubeObject) => nodeKey(groupOf(apiVersion), kind, metadata.name);

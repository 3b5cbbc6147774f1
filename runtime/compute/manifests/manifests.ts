import { armResource } from '../../api/arm/arm-resource.ts';
import { kubeNameOf } from '../../arm-kinds/kube-names.ts';
import { parentId, parseResourceId } from '../../azure/arm/resource-ids.ts';
import { findCycle } from '../../base/cycle.ts';
import { AzimuthError } from '../../base/errors.ts';
import type { KubeObject } from '../../kube/client/types.ts';
import { type ExpandedResource, type ExpandedTemplate, resolveUnknowns } from '../templates/expand-template.ts';
import { Problems, TemplateError, TemplateStop } from '../templates/problems.ts';
import type { TemplateObject } from '../templates/values/value.ts';
import { waitsFor } from '../templates/values/value-info.ts';
import { anyTypeObject } from './any-type.ts';
import { finishedObject } from './finished-object.ts';
import { ObjectReferences } from './object-references.ts';
import type { ManifestContext, TemplateManifest, TemplateManifests } from './template-manifest.ts';
import { TokenizedBody } from './tokens.ts';
import { candidates, type KindVersion, type SpecInput, type TypedObject, typedObject } from './typed-spec.ts';

/**
 * The objects for the resources of an expanded template. A resource gets a kind of the catalogue if a served version takes
 * its body without loss, and an ArmResource otherwise. Which kind it gets, and its name, depend on the resource alone and on
 * no answer of Azure. Reports all problems, at the position of the resource and with the path of the value.
 */
export function manifestsOf(
  { resources }: Pick<ExpandedTemplate, 'resources'>,
  context: ManifestContext,
): TemplateManifests {
  const problems = new Problems();
  const references = new ObjectReferences(context.objects ?? {}, resources);
  const chosen = resources
    .map(withTypeOfId)
    .flatMap((resource) => attempt(resource, problems, () => choose(resource, context)) ?? []);
  for (const { resource, kind, metadata } of chosen) {
    const definition = kind?.definition ?? armResource;
    references.set(resource.id, { group: definition.group, kind: definition.kind, name: metadata.name });
  }
  const manifests = chosen.flatMap(
    (each) => attempt(each.resource, problems, () => manifestOf(each, references, context, problems)) ?? [],
  );
  reportCycle(manifests, problems);
  return { manifests, problems: problems.list };
}

/** A resource under the type of its id: templates may write that of an extension resource behind the type it extends. */
function withTypeOfId(resource: ExpandedResource): ExpandedResource {
  return /\/providers\//i.test(resource.type) ? { ...resource, type: parseResourceId(resource.id).type } : resource;
}

interface Chosen {
  readonly resource: ExpandedResource;
  readonly parent: string;
  readonly tokens: TokenizedBody;
  /** Undefined: ArmResource. */
  readonly kind: KindVersion | undefined;
  readonly metadata: KubeObject['metadata'];
}

function choose(resource: ExpandedResource, context: ManifestContext): Chosen {
  const { namespace, prefix = '', labels, annotations } = context;
  // The tenant has no id of its own.
  const parent = parentId(resource.id) ?? '/';
  const metadata = (isShared: boolean): KubeObject['metadata'] => ({
    name: kubeNameOf(resource.id, { prefix, isShared }),
    namespace,
    ...(labels && { labels: { ...labels } }),
    ...(annotations && { annotations: { ...annotations } }),
  });
  const own = metadata(false);
  const tokens = new TokenizedBody(resource.body);
  const input: SpecInput = { resource, parent, tokens, metadata: own, refer: (armId) => ({ armId }), isChecked: false };
  const kind = candidates(resource).find((each) => 'object' in typedObject(each, input));
  return { resource, parent, tokens, kind, metadata: kind ? own : metadata(true) };
}

function manifestOf(
  { resource, parent, tokens, kind, metadata }: Chosen,
  references: ObjectReferences,
  { known }: ManifestContext,
  problems: Problems,
): TemplateManifest | undefined {
  const { id, position } = resource;
  const isOpen = resource.waitsFor.length > 0 && known !== undefined;
  const body: TemplateObject = isOpen ? resolveUnknowns(resource, known).body : resource.body;
  const input: SpecInput = {
    resource,
    parent,
    tokens: isOpen ? new TokenizedBody(body) : tokens,
    isChecked: !isOpen,
    metadata,
    refer: (armId) => references.refer(id, armId),
  };
  const made: TypedObject = kind ? typedObject(kind, input) : anyTypeObject(input);
  const definition = kind?.definition ?? armResource;
  if ('refused' in made) {
    throw new TemplateError('Manifest', `No object of the kind ${definition.kind} can declare ${made.refused}`);
  }
  const finished = finishedObject(made, { tokens: input.tokens, kind: definition.kind, position, problems });
  if (!finished) return undefined;
  return { id, definition, ...finished, dependsOn: references.before(resource), waitsFor: waitsFor(body), position };
}

/** Children come after their parents, which the template need not say: that can close a circle. */
function reportCycle(manifests: readonly TemplateManifest[], problems: Problems): void {
  const byId = new Map(manifests.map((each) => [each.id, each]));
  const [id] = findCycle(byId.keys(), (each) => byId.get(each)?.dependsOn ?? []) ?? [];
  const position = id === undefined ? undefined : byId.get(id)?.position;
  if (position)
    problems.add('Cycle', position, 'The resource and its parent wait for each other: remove the dependency');
}

/** Runs a step for one resource, whose error becomes a problem at its position. */
function attempt<T>({ position }: ExpandedResource, problems: Problems, step: () => T): T | undefined {
  try {
    return step();
  } catch (error) {
    if (error instanceof AzimuthError) problems.add('Manifest', position, error.message);
    else if (error instanceof TemplateStop) problems.add(error.problem, position, error.message);
    else problems.addError(error, position);
    return undefined;
  }
}

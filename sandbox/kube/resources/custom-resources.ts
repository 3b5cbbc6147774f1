import { setImmediate as later } from 'node:timers';
import { equal } from '../../json.ts';
import type { Behaviour, Column, Resource } from '../model/resource.ts';
import { forbiddenField, invalidValue, required } from '../model/status.ts';
import type { Cause, OpenApiSchema, Subresource, Unstructured } from '../model/types.ts';
import { compileSchema, validateCrdSchema } from '../schema/index.ts';
import type { Objects } from '../storage/objects.ts';
import { evaluateJsonPath } from '../tables/json-path.ts';

/** Where CustomResourceDefinitions are stored. */
export const crdBucket = 'customresourcedefinitions.apiextensions.k8s.io';
const cleanup = 'customresourcecleanup.apiextensions.k8s.io';
const verbs = ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch'];

/** Defaults and rules of CustomResourceDefinition objects themselves. */
export const crdBehaviour: Behaviour = {
  generation: true,
  unconditionalUpdate: false,
  columns: [
    { name: 'Name', type: 'string', format: 'name', value: (crd) => crd['metadata'].name },
    { name: 'Created At', type: 'date', value: (crd) => crd['metadata'].creationTimestamp },
  ],
  prepare: (crd) => {
    const { spec } = crd;
    if (!spec || typeof spec !== 'object') return;
    spec.names ??= {};
    const { kind } = spec.names;
    if (kind) {
      spec.names.singular ??= String(kind).toLowerCase();
      spec.names.listKind ??= `${kind}List`;
    }
    spec.conversion ??= { strategy: 'None' };
    crd['status'] ??= { conditions: [], acceptedNames: { plural: '', kind: '' }, storedVersions: [] };
    const storage = spec.versions?.find?.((version: Unstructured) => version['storage'])?.name;
    const stored: string[] = crd['status'].storedVersions ?? [];
    if (storage && !stored.includes(storage)) crd['status'].storedVersions = [...stored, storage];
    // A writer that does not know this finalizer cannot take it away.
    if (!crd['metadata'].deletionTimestamp)
      crd['metadata'].finalizers = [...new Set([...(crd['metadata'].finalizers ?? []), cleanup])];
  },
  validate: (crd, old) => {
    const { spec, metadata } = crd;
    const causes: Cause[] = [];
    if (metadata.name !== `${spec.names.plural}.${spec.group}`)
      causes.push(invalidValue('metadata.name', metadata.name, 'must be spec.names.plural+"."+spec.group'));
    const storage = spec.versions.filter((version: Unstructured) => version['storage']);
    if (storage.length !== 1)
      causes.push(
        invalidValue(
          'spec.versions',
          spec.versions.map(({ name }: Unstructured) => name),
          'must have exactly one version marked as storage version',
        ),
      );
    if (new Set(spec.versions.map(({ name }: Unstructured) => name)).size < spec.versions.length)
      causes.push(
        invalidValue(
          'spec.versions',
          spec.versions.map(({ name }: Unstructured) => name),
          'must contain unique version names',
        ),
      );
    for (const [index, version] of spec.versions.entries()) {
      const path = `spec.versions[${index}]`;
      const schema = version.schema?.openAPIV3Schema;
      if (!schema) {
        causes.push(required(`${path}.schema.openAPIV3Schema`, 'schemas are required'));
        continue;
      }
      causes.push(...validateCrdSchema(schema, `${path}.schema.openAPIV3Schema`));
    }
    if (spec.preserveUnknownFields)
      causes.push(
        invalidValue('spec.preserveUnknownFields', true, 'must be false in order to use defaults in the schema'),
      );
    if (spec.conversion?.strategy === 'Webhook')
      causes.push(
        forbiddenField('spec.conversion.strategy', 'the sandbox converts between versions by their name only (None)'),
      );
    for (const member of ['group', 'scope'] as const) {
      if (old && old['spec'][member] !== spec[member])
        causes.push(invalidValue(`spec.${member}`, spec[member], 'field is immutable'));
    }
    return causes;
  },
};

/**
 * Serves the resources of the CRDs in the store: registers them as soon as they are written, reports the
 * conditions clients wait for, and removes all objects before a deleted CRD goes.
 */
export class CustomResources {
  readonly #objects: Objects;
  readonly #specs = new Map<string, unknown>();

  constructor(objects: Objects) {
    this.#objects = objects;
    for (const [, crd] of objects.store.entries(crdBucket)) this.#sync(crd);
    objects.store.subscribe(({ bucket, type, object }) => {
      if (bucket === crdBucket) {
        if (type === 'DELETED') this.#remove(object);
        else this.#sync(object);
      } else if (type === 'DELETED' || type === 'MODIFIED') this.#finishLater(bucket);
    });
  }

  #sync(crd: Unstructured): void {
    const { name, deletionTimestamp } = crd['metadata'];
    if (!equal(this.#specs.get(name), crd['spec'])) {
      this.#specs.set(name, crd['spec']);
      this.#objects.registry.removeBucket(name);
      for (const resource of resourcesOf(crd)) this.#objects.registry.set(resource);
    }
    if (deletionTimestamp) this.#finishLater(name);
    else if (!crd['status']?.conditions?.length)
      later(() => this.#objects.modify(crdBucket, name, (current) => establish(current, this.#objects.now())));
  }

  #remove(crd: Unstructured): void {
    const { name } = crd['metadata'];
    this.#specs.delete(name);
    this.#objects.registry.removeBucket(name);
  }

  /** Deletes the objects of a CRD that is going, and lets it go with the last of them. */
  #finishLater(name: string): void {
    const { store } = this.#objects;
    if (!store.get(crdBucket, name)?.['metadata'].deletionTimestamp) return;
    later(() => {
      const crd = store.get(crdBucket, name);
      if (!crd?.['metadata'].deletionTimestamp) return;
      const resource = this.#objects.registry.byBucket(name);
      for (const [, object] of resource ? store.entries(name) : []) {
        if (object['metadata'].deletionTimestamp) continue;
        const { namespace = '', name: target } = object['metadata'];
        this.#objects.delete({ resource: resource as Resource, namespace, name: target }, { dryRun: false });
      }
      if (store.entries(name).length > 0) return;
      this.#objects.modify(crdBucket, name, ({ metadata }) => {
        metadata.finalizers = metadata.finalizers?.filter((one: string) => one !== cleanup);
      });
    });
  }
}

function establish(crd: Unstructured, now: string): void {
  const condition = (type: string, reason: string, message: string) => ({
    type,
    status: 'True',
    lastTransitionTime: now,
    reason,
    message,
  });
  crd['status'] = {
    ...crd['status'],
    conditions: [
      condition('NamesAccepted', 'NoConflicts', 'no conflicts found'),
      condition('Established', 'InitialNamesAccepted', 'the initial names have been accepted'),
    ],
    acceptedNames: crd['spec'].names,
  };
}

/** One resource for each served version. */
function resourcesOf(crd: Unstructured): Resource[] {
  const { spec, metadata } = crd;
  const { names } = spec;
  return spec.versions
    .filter((version: Unstructured) => version['served'])
    .map((version: Unstructured): Resource => {
      const declared = version['subresources'] ?? {};
      const subresources: Subresource[] = [];
      if (declared.status) subresources.push({ name: 'status', verbs: ['get', 'patch', 'update'] });
      if (declared.scale)
        subresources.push({
          name: 'scale',
          kind: 'Scale',
          group: 'autoscaling',
          version: 'v1',
          verbs: ['get', 'patch', 'update'],
        });
      return {
        group: spec.group,
        version: version['name'],
        plural: names.plural,
        singular: names.singular,
        kind: names.kind,
        listKind: names.listKind,
        shortNames: names.shortNames ?? [],
        categories: names.categories ?? [],
        namespaced: spec.scope === 'Namespaced',
        verbs,
        subresources,
        schema: compileSchema(version['schema'].openAPIV3Schema as OpenApiSchema),
        custom: true,
        bucket: metadata.name,
        behaviour: {
          unconditionalUpdate: false,
          generation: true,
          columns: columnsOf(version['additionalPrinterColumns']),
          selectableFields: (version['selectableFields'] ?? []).map(({ jsonPath }: Unstructured) =>
            String(jsonPath).slice(1),
          ),
        },
        scale: declared.scale,
      };
    });
}

function columnsOf(declared: Unstructured[] | undefined): Column[] {
  const name: Column = { name: 'Name', type: 'string', format: 'name', value: (object) => object['metadata'].name };
  const age = { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' };
  return [
    name,
    ...(declared ?? [age]).map(
      (column: Unstructured): Column => ({
        name: column['name'],
        type: column['type'],
        format: column['format'] ?? '',
        description: column['description'] ?? '',
        priority: column['priority'] ?? 0,
        value: (object) => evaluateJsonPath(column['jsonPath'], object)[0],
      }),
    ),
  ];
}

import { expect, test } from '@jest/globals';
import type { Unstructured } from '../../../../sandbox/kube/model/types.ts';
import { amendedNames } from '../../../../sandbox/kube/schema/builtin-amendments.ts';
import { builtinTypes, compileSchema } from '../../../../sandbox/kube/schema/index.ts';
import {
  definitionNames,
  definitionOf,
  refName,
  type SchemaNode,
} from '../../../../sandbox/kube/schema/schema-node.ts';

const kindOf = (kind: string) => {
  const type = builtinTypes.find((item) => item.kind === kind);
  if (!type) throw new Error(kind);
  return compileSchema(type.schema, { preserveUnknown: type.preserveUnknown ?? false });
};
const completed = (object: Unstructured) => {
  const copy = structuredClone(object);
  const compiled = kindOf(object['kind']);
  compiled.applyDefaults(copy);
  return { object: copy, causes: compiled.validate(copy) };
};

test('every reference and every amendment names a definition that exists', () => {
  const references: string[] = [];
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    const { $ref } = node as { $ref?: unknown };
    const name = typeof $ref === 'string' ? refName(node as SchemaNode) : undefined;
    if (name) references.push(name);
    for (const inner of Object.values(node)) visit(inner);
  };
  for (const name of definitionNames()) visit(definitionOf(name));
  expect(references.filter((name) => !definitionOf(name))).toEqual([]);
  expect(amendedNames().filter((name) => !definitionOf(name))).toEqual([]);
});

test('policy/v1 is served although the source had v1beta1 only', () => {
  expect(builtinTypes.find((type) => type.kind === 'PodDisruptionBudget')).toMatchObject({
    group: 'policy',
    version: 'v1',
    shortNames: ['pdb'],
  });
});

test('a Deployment gets the defaults of the API server and stays the same when they are applied again', () => {
  const { object, causes } = completed({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'd' },
    spec: {
      selector: { matchLabels: { a: 'b' } },
      template: {
        metadata: { creationTimestamp: null, labels: { a: 'b' } },
        spec: {
          containers: [
            {
              name: 'c',
              image: 'i:1',
              ports: [{ containerPort: 80 }],
              resources: { limits: { cpu: 1 } },
              livenessProbe: { httpGet: { port: 'http' } },
            },
          ],
          volumes: [{ name: 's', secret: { secretName: 's' } }, { name: 'e' }],
        },
      },
    },
  });
  expect(causes).toEqual([]);
  expect(object['spec']).toEqual({
    replicas: 1,
    revisionHistoryLimit: 10,
    progressDeadlineSeconds: 600,
    strategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '25%', maxSurge: '25%' } },
    selector: { matchLabels: { a: 'b' } },
    template: {
      metadata: { labels: { a: 'b' } },
      spec: {
        restartPolicy: 'Always',
        dnsPolicy: 'ClusterFirst',
        schedulerName: 'default-scheduler',
        terminationGracePeriodSeconds: 30,
        securityContext: {},
        containers: [
          {
            name: 'c',
            image: 'i:1',
            imagePullPolicy: 'IfNotPresent',
            terminationMessagePath: '/dev/termination-log',
            terminationMessagePolicy: 'File',
            ports: [{ containerPort: 80, protocol: 'TCP' }],
            resources: { limits: { cpu: '1' } },
            livenessProbe: {
              httpGet: { port: 'http', path: '/', scheme: 'HTTP' },
              timeoutSeconds: 1,
              periodSeconds: 10,
              successThreshold: 1,
              failureThreshold: 3,
            },
          },
        ],
        volumes: [
          { name: 's', secret: { secretName: 's', defaultMode: 420 } },
          { name: 'e', emptyDir: {} },
        ],
      },
    },
  });
  expect(completed(object).object).toEqual(object);
});

test('Recreate gets no rolling parameters', () => {
  const { object } = completed({ apiVersion: 'apps/v1', kind: 'Deployment', spec: { strategy: { type: 'Recreate' } } });
  expect(object['spec'].strategy).toEqual({ type: 'Recreate' });
});

test('stringData of a Secret becomes data', () => {
  const { object } = completed({ apiVersion: 'v1', kind: 'Secret', stringData: { k: 'v' }, data: { o: 'eA==' } });
  expect(object).toEqual({ apiVersion: 'v1', kind: 'Secret', type: 'Opaque', data: { k: 'dg==', o: 'eA==' } });
});

test.each<[string, Unstructured, string[]]>([
  [
    'a Deployment without selector',
    { apiVersion: 'apps/v1', kind: 'Deployment', spec: { template: { spec: { containers: [] } } } },
    ['spec.selector'],
  ],
  [
    'a container without a name',
    { apiVersion: 'v1', kind: 'Pod', spec: { containers: [{ image: 'i' }] } },
    ['spec.containers[0].name'],
  ],
  ['a number in the data of a ConfigMap', { apiVersion: 'v1', kind: 'ConfigMap', data: { a: 1 } }, ['data.a']],
])('%s is refused', (_, object, fields) => {
  expect(completed(object).causes.map((cause) => cause.field)).toEqual(fields);
});

test('members newer than the definitions are kept', () => {
  const compiled = kindOf('Pod');
  const pod: Unstructured = {
    apiVersion: 'v1',
    kind: 'Pod',
    spec: { containers: [{ name: 'a' }], zork: { of: 'tomorrow' } },
  };
  expect(compiled.prune(pod)).toEqual([]);
  expect(pod['spec'].zork).toEqual({ of: 'tomorrow' });
});

test('a CRD may hold a recursive schema with CEL rules', () => {
  const { object, causes } = completed({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    spec: {
      group: 'g',
      scope: 'Namespaced',
      names: { plural: 'ks', kind: 'K' },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: {
            openAPIV3Schema: {
              type: 'object',
              properties: { a: { type: 'string', default: 'x', 'x-kubernetes-validations': [{ rule: 'true' }] } },
            },
          },
        },
      ],
    },
  });
  expect(causes).toEqual([]);
  expect(object['spec']).toMatchObject({
    conversion: { strategy: 'None' },
    names: { singular: 'k', listKind: 'KList' },
  });
});

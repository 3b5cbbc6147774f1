/** One template for each feature of the reference: what it adds to an empty template, and the resources that it makes. */
const schema = (name: string) => `https://schema.management.azure.com/schemas/2019-08-01/${name}.json#`;
const resource = (name: string, more: object = {}) => ({ type: 'X.Y/a', apiVersion: '1', name, ...more });
const copy = (count: number) => ({ name: 'n', count });
const deployment = (properties: object, more: object = {}) => ({
  type: 'Microsoft.Resources/deployments',
  apiVersion: '2022-09-01',
  name: 'd',
  properties: { mode: 'Incremental', ...properties },
  ...more,
});
const inner = (parts: object) => ({ $schema: schema('deploymentTemplate'), contentVersion: '1.0.0.0', ...parts });
const version2 = { languageVersion: '2.0' };
const pet = (kind: string) => ({ type: 'object', properties: { kind: { type: 'string', allowedValues: [kind] } } });
const text = (value: string) => ({ parameters: [], output: { type: 'string', value } });

export const featureTemplates: Readonly<Record<string, object>> = {
  '@options': { resources: [{ type: 'X.Y/a', apiVersion: '1', name: 'a', '@options': { onlyIfNotExists: true } }] },
  asserts: { ...version2, resources: {}, asserts: { a: true } },
  apiProfile: { apiProfile: '2018-03-01-hybrid' },
  'condition of a resource or output': {
    resources: [resource('a', { condition: false }), resource('b', { dependsOn: ['a'] })],
    outputs: { o: { condition: false, type: 'string', value: 'x' } },
  },
  'copy of outputs': { outputs: { o: { type: 'array', copy: { count: 2, input: '[copyIndex()]' } } } },
  'copy of properties': {
    resources: [resource('a', { properties: { copy: [{ ...copy(2), input: "[copyIndex('n')]" }] } })],
  },
  'copy of resources': {
    resources: [resource("[format('a{0}', copyIndex())]", { copy: { ...copy(2), mode: 'serial', batchSize: 1 } })],
  },
  'copy of variables': {
    variables: { copy: [{ ...copy(2), input: 1 }], o: { copy: [{ ...copy(2), input: "[copyIndex('n')]" }] } },
    outputs: { o: { type: 'array', value: "[concat(variables('n'), variables('o').n)]" } },
  },
  definitions: {
    ...version2,
    resources: {},
    definitions: { name: { type: 'string', minLength: 1 } },
    parameters: { p: { $ref: '#/definitions/name', defaultValue: 'x' } },
  },
  'dependsOn of a loop or one element': {
    ...version2,
    resources: {
      disks: resource("[format('a{0}', copyIndex())]", { copy: copy(2) }),
      all: resource('b', { dependsOn: ['disks'] }),
      one: resource('c', { dependsOn: ['disks[0]'] }),
    },
  },
  'deployment of the inner scope': {
    resources: [
      deployment({
        expressionEvaluationOptions: { scope: 'inner' },
        parameters: { p: { value: 'x' } },
        template: inner({ parameters: { p: { type: 'string' } }, resources: [resource("[parameters('p')]")] }),
      }),
    ],
  },
  'deployment of the outer scope': {
    variables: { v: 'x' },
    resources: [deployment({ template: inner({ resources: [resource("[variables('v')]")] }) })],
  },
  discriminator: {
    ...version2,
    resources: {},
    parameters: {
      p: {
        type: 'object',
        discriminator: { propertyName: 'kind', mapping: { cat: pet('cat'), dog: pet('dog') } },
        defaultValue: { kind: 'dog' },
      },
    },
  },
  existing: { ...version2, resources: { e: resource('e', { existing: true, resourceGroup: 'other' }) } },
  extensions: { ...version2, resources: {}, extensions: { k: { name: 'Kubernetes', version: '1.0.0' } } },
  functions: {
    ...version2,
    functions: [{ namespace: 'n', members: { a: text('x'), b: text('[n.a()]') } }],
    resources: { r: resource('[n.b()]') },
  },
  imports: { ...version2, resources: {}, imports: { k: { provider: 'Kubernetes', version: '1.0' } } },
  'names, conditions and counts that an answer decides': {
    resources: [
      resource('a'),
      deployment({
        expressionEvaluationOptions: { scope: 'inner' },
        parameters: { p: { value: "[reference('a').id]" } },
        template: {
          $schema: schema('deploymentTemplate'),
          contentVersion: '1.0.0.0',
          parameters: { p: { type: 'string' } },
          resources: [resource("[parameters('p')]")],
        },
      }),
    ],
  },
  nullable: { ...version2, resources: {}, parameters: { p: { type: 'string', nullable: true } } },
  outputs: { outputs: { o: { type: 'object', value: { a: 1 } } } },
  'parametersLink by uri or relativePath': {
    resources: [deployment({ template: inner({ resources: [] }), parametersLink: { relativePath: 'p.json' } })],
  },
  'scope of a management group': { $schema: schema('managementGroupDeploymentTemplate') },
  'scope of a resource': {
    resources: [
      resource('a'),
      { type: 'Microsoft.Authorization/locks', apiVersion: '1', name: 'l', scope: 'X.Y/a/a', properties: {} },
    ],
  },
  'scope of a subscription': { $schema: schema('subscriptionDeploymentTemplate') },
  'scope of the tenant': { $schema: schema('tenantDeploymentTemplate') },
  'symbolic names': { ...version2, resources: { a: resource('a') } },
  'templateLink by id, uri or relativePath': {
    resources: [deployment({ templateLink: { uri: 'https://templates.example/a.json' } })],
  },
  validate: {
    ...version2,
    resources: {},
    parameters: {
      p: { type: 'int', validate: ["[lambda('x', greater(lambdaVariables('x'), 1))]", 'too small'], defaultValue: 2 },
    },
  },
};

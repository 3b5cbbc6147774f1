import {
  clientIdVariable,
  injectionLabel,
  skipContainersAnnotation,
  tokenAudience,
  tokenDirectory,
  tokenFile,
  tokenLifetime,
  tokenVolume,
  useLabel,
} from '../../runtime/api/workload-identity.ts';

/** Where the webhook of Azure puts the variables: every container but the ones that the pod excepts. */
const lists = ['containers', 'initContainers'] as const;

/** A JSON patch that appends to a list; the API server drops empty lists, and a patch cannot append to nothing. */
const append = (path: string, list: string, value: string) =>
  `size(${list}) == 0 ? JSONPatch{op: "add", path: ${path}, value: [${value}]} : JSONPatch{op: "add", path: ${path} + "/-", value: ${value}}`;

/**
 * Appends a value to a list of each container of the pod that fulfils the condition, where `c` is the container. CEL of
 * API servers has no index in `map`, and names of containers are unique within their list.
 */
function inContainers(member: string, condition: string, value: (type: string) => string): string {
  const each = lists.map((list) => {
    const all = `object.spec.?${list}.orValue([])`;
    const path = `"/spec/${list}/" + string(${all}.map(x, x.name).indexOf(c.name)) + "/${member}"`;
    const patch = append(path, `c.?${member}.orValue([])`, value(`Object.spec.${list}`));
    return `${all}.filter(c, !(c.name in variables.skipped) && ${condition}).map(c, ${patch})`;
  });
  return each.join(' + ');
}

/** A variable that the container does not have yet: a variable of the pod's own wins, as with the webhook. */
const variable = (name: string, value: (type: string) => string) =>
  inContainers('env', `!c.?env.orValue([]).exists(e, e.name == "${name}")`, (type) => value(`${type}.env`));

const literal = (name: string, expression: string) =>
  variable(name, (type) => `${type}{name: "${name}", value: ${expression}}`);

/** An id as text, or by the ConfigMap that the operator exports it into: kubelet waits for that one. */
const id = (name: string, member: 'clientId' | 'tenantId') =>
  variable(name, (type) => {
    const given = `params.data.${member}`;
    const text = `${type}{name: "${name}", value: ${given}}`;
    const key = `${type}.valueFrom.configMapKeyRef{name: ${given}ConfigMap, key: ${given}Key}`;
    const source = `${type}{name: "${name}", valueFrom: ${type}.valueFrom{configMapKeyRef: ${key}}}`;
    return `(has(${given}) ? ${text} : ${source})`;
  });

const projected = 'Object.spec.volumes.projected';
const token = `${projected}.sources.serviceAccountToken{path: "${tokenFile}", audience: "${tokenAudience}", expirationSeconds: ${tokenLifetime}}`;
const volume = `Object.spec.volumes{name: "${tokenVolume}", projected: ${projected}{sources: [${projected}.sources{serviceAccountToken: ${token}}]}}`;
const volumes = 'object.spec.?volumes.orValue([])';

/** The mutations in their order; each one sees the pod as the ones before left it. */
const expressions: readonly string[] = [
  `${volumes}.exists(v, v.name == "${tokenVolume}") ? [] : [${append('"/spec/volumes"', volumes, volume)}]`,
  inContainers(
    'volumeMounts',
    `!c.?volumeMounts.orValue([]).exists(m, m.mountPath == "${tokenDirectory}")`,
    (type) => `${type}.volumeMounts{name: "${tokenVolume}", mountPath: "${tokenDirectory}", readOnly: true}`,
  ),
  id(clientIdVariable, 'clientId'),
  id('AZURE_TENANT_ID', 'tenantId'),
  literal('AZURE_FEDERATED_TOKEN_FILE', `"${tokenDirectory}/${tokenFile}"`),
  literal('AZURE_AUTHORITY_HOST', 'params.data.authority'),
];

/** The spec of the MutatingAdmissionPolicy. */
export const policySpec = {
  // A pod whose containers lack their token fails later, and nobody sees why.
  failurePolicy: 'Fail',
  // Containers that another policy or a webhook adds get the token too.
  reinvocationPolicy: 'IfNeeded',
  paramKind: { apiVersion: 'v1', kind: 'ConfigMap' },
  matchConstraints: {
    matchPolicy: 'Equivalent',
    objectSelector: { matchLabels: { [useLabel]: 'true' } },
    resourceRules: [
      { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'], scope: 'Namespaced' },
    ],
  },
  matchConditions: [
    {
      name: 'service-account-of-the-parameters',
      expression:
        'params.?data.?serviceAccountName.orValue("") == object.spec.?serviceAccountName.orValue("default") && ' +
        'has(params.data.authority) && ' +
        // Parameters that lack an id change nothing.
        ['clientId', 'tenantId']
          .map((id) => `params.data.${id}`)
          .map((id) => `(has(${id}) || has(${id}ConfigMap) && has(${id}Key))`)
          .join(' && '),
    },
  ],
  variables: [
    {
      name: 'skipped',
      expression: `object.metadata.?annotations["${skipContainersAnnotation}"].orValue("").split(";").map(s, s.trim())`,
    },
  ],
  mutations: expressions.map((expression) => ({ patchType: 'JSONPatch', jsonPatch: { expression } })),
};

/** The spec of the binding: the parameters are the labelled ConfigMaps of the pod's own namespace. */
export const bindingSpec = (policyName: string) => ({
  policyName,
  paramRef: { selector: { matchLabels: { [injectionLabel]: 'true' } }, parameterNotFoundAction: 'Allow' },
});

import { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import { defaultNameRules, type NameRules } from '../../runtime/api/arm/name-rules.ts';
import { operatorKinds } from '../../runtime/api/kinds.ts';

/** Properties of `NamePolicy`. */
export interface NamePolicyProps {
  readonly labels: Readonly<Record<string, string>>;
}

const apiVersion = 'admissionregistration.k8s.io/v1';
const name = 'azimuth-names';

/**
 * Lets the API server refuse a new object whose `metadata.name` would be a name that Azure refuses, by a
 * ValidatingAdmissionPolicy (API servers from 1.30 on). A rule of the definition would also refuse changes of objects that
 * exist, such as the removal of their finalizer.
 */
export class NamePolicy extends Construct {
  constructor(scope: Construct, id: string, { labels }: NamePolicyProps) {
    super(scope, id);
    const metadata = { name, labels };
    new ApiObject(this, 'Resource', {
      apiVersion,
      kind: 'ValidatingAdmissionPolicy',
      metadata,
      spec: policySpec(rulesByResource()),
    });
    new ApiObject(this, 'Binding', {
      apiVersion,
      kind: 'ValidatingAdmissionPolicyBinding',
      metadata,
      spec: { policyName: name, validationActions: ['Deny'] },
    });
  }
}

/** The rules of each kind by `storageaccounts.storage.azure.com`. */
function rulesByResource(): ReadonlyMap<string, NameRules> {
  return new Map(
    operatorKinds.flatMap((kind) => {
      const rules = defaultNameRules(kind);
      return rules ? [[`${kind.plural}.${kind.group}`, rules] as const] : [];
    }),
  );
}

function policySpec(rules: ReadonlyMap<string, NameRules>): object {
  const groups = new Set([...rules.keys()].map((key) => key.slice(key.indexOf('.') + 1)));
  const all = [...rules];
  const lengths = all.flatMap(([key, { minLength = 1, maxLength = 253 }]) =>
    minLength > 1 || maxLength < 253 ? [`${text(key)}: [${minLength}, ${maxLength}]`] : [],
  );
  const patterns = all.flatMap(([key, { pattern }]) =>
    pattern === undefined ? [] : [`${text(key)}: ${text(pattern)}`],
  );
  const length = 'size(object.metadata.name)';
  const bounds = 'variables.lengths[variables.key]';
  const expected = (rule: string) =>
    `'metadata.name: expected a name in Azure ' + ${rule} + ', or spec.azureName with such a name, got ' + object.metadata.name`;
  return {
    failurePolicy: 'Fail',
    matchConstraints: {
      resourceRules: [
        // The default scope, which the API server adds: an apply without it changes the list each time.
        { apiGroups: [...groups].sort(), apiVersions: ['*'], resources: ['*'], operations: ['CREATE'], scope: '*' },
      ],
    },
    matchConditions: [{ name: 'takes-its-name-from-metadata', expression: takesDefaultName }],
    variables: [
      { name: 'key', expression: "request.resource.resource + '.' + request.resource.group" },
      { name: 'lengths', expression: `{${lengths.join(', ')}}` },
      { name: 'patterns', expression: `{${patterns.join(', ')}}` },
    ],
    validations: [
      {
        expression: `!(variables.key in variables.lengths) || (${length} >= ${bounds}[0] && ${length} <= ${bounds}[1])`,
        messageExpression: expected(`'of ' + string(${bounds}[0]) + ' to ' + string(${bounds}[1]) + ' characters'`),
      },
      {
        expression:
          '!(variables.key in variables.patterns) || object.metadata.name.matches(variables.patterns[variables.key])',
        messageExpression: expected("'that matches ' + variables.patterns[variables.key]"),
      },
    ],
  };
}

const takesDefaultName =
  'has(object.metadata.name) && ' +
  '!(has(object.spec) && (has(object.spec.azureName) || has(object.spec.azureNameFromConfig)))';

/** A text of CEL, whose escapes are those of JSON. */
const text = (value: string) => JSON.stringify(value);

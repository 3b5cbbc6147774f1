import { isObject } from '../../../../runtime/base/json.ts';
import { refuse } from '../../exchange.ts';
import { at, type Json, objectOf, stringOf } from '../../json.ts';
import type { Behaviour, BehaviourContext, WriteContext } from '../behaviour.ts';
import { lockType } from '../governance/locks.ts';
import { policyTypes } from '../governance/policy-rules.ts';
import type { StoredResource } from '../resources/stored-resources.ts';

/** Documents of Azure's platform itself: made at once, without location and provisioningState. */
const document = {
  tracked: false,
  create: { status: 201 },
  update: { status: 200 },
  remove: { status: 200 },
  succeeded: '',
} as const satisfies Partial<Behaviour>;

const policyDocument = {
  ...document,
  update: { status: 201 },
  removeShowsBody: true,
} as const satisfies Partial<Behaviour>;

/** Who made a policy, and when. */
const metadata = ({ request, existing, now, caller }: WriteContext) => ({
  ...objectOf(at(request, 'properties.metadata')),
  createdBy: at(existing?.body, 'properties.metadata.createdBy') ?? caller.objectId,
  createdOn: new Date(existing?.createdAt ?? now).toISOString(),
  updatedBy: existing ? caller.objectId : null,
  updatedOn: existing ? new Date(now).toISOString() : null,
});

const definition = {
  ...policyDocument,
  computed: (context: WriteContext) => ({ properties: { policyType: 'Custom', metadata: metadata(context) } }),
};

const levels = ['cannotdelete', 'readonly', 'notspecified'];

const templateSpecs = 'Microsoft.Resources/templateSpecs';

/** A template spec with its versions, without their templates. */
function withVersions({ id, body }: StoredResource, { state }: BehaviourContext): Json {
  const time = (ms: number) => new Date(ms).toISOString();
  const versions = state.resources.below(id).map(({ name, createdAt, changedAt, body: version }) => {
    const description = at(version, 'properties.description');
    const times = { timeCreated: time(createdAt), timeModified: time(changedAt) };
    return [name, { ...(description === undefined ? {} : { description }), ...times }];
  });
  return { ...body, properties: { ...objectOf(body['properties']), versions: Object.fromEntries(versions) } };
}

/** Locks, policies, template specs and management groups. */
export const governanceBehaviours: readonly Behaviour[] = [
  {
    ...document,
    type: lockType,
    validate({ request }) {
      const level = stringOf(at(request, 'properties.level'));
      if (levels.includes(level.toLowerCase())) return;
      throw refuse(400, 'InvalidLockLevel', `The lock level '${level}' is invalid: use CanNotDelete or ReadOnly.`);
    },
  },
  {
    ...definition,
    type: policyTypes.definitions,
    defaults: () => ({ properties: { mode: 'Indexed', parameters: {} } }),
    validate({ request }) {
      const rule = objectOf(at(request, 'properties.policyRule'));
      if (rule['if'] !== undefined && stringOf(at(rule, 'then.effect')) !== '') return;
      throw refuse(400, 'InvalidPolicyRule', "The policy rule is invalid: it needs 'if' and 'then.effect'.");
    },
  },
  {
    ...definition,
    type: policyTypes.sets,
  },
  { ...policyDocument, type: policyTypes.exemptions },
  {
    ...policyDocument,
    type: policyTypes.assignments,
    defaults: () => ({ properties: { enforcementMode: 'Default', notScopes: [] } }),
    computed: (context) => ({ properties: { scope: context.path.scope, metadata: metadata(context) } }),
    validate({ request, state }) {
      const id = stringOf(at(request, 'properties.policyDefinitionId'));
      if (state.resources.get(id)) return;
      const set = /\/policySetDefinitions\//i.test(id);
      const [code, what] = set
        ? ['PolicySetDefinitionNotFound', 'policy set definition']
        : ['PolicyDefinitionNotFound', 'policy definition'];
      throw refuse(404, code, `The ${what} '${id.split('/').at(-1)}' could not be found.`);
    },
  },
  {
    ...document,
    type: 'Microsoft.Management/managementGroups',
    computed: ({ path, tenantId, request }) => ({
      properties: { tenantId, displayName: at(request, 'properties.displayName') ?? path.name },
    }),
  },
  { ...document, type: templateSpecs, tracked: true, view: withVersions },
  {
    ...document,
    type: `${templateSpecs}/versions`,
    tracked: true,
    validate({ request }) {
      if (isObject(at(request, 'properties.mainTemplate'))) return;
      const message = 'The main template is missing: properties.mainTemplate must be an object.';
      throw refuse(400, 'InvalidTemplateSpecVersionDefinition', message);
    },
  },
];

import { refuse } from '../../exchange.ts';
import { at, objectOf } from '../../json.ts';
import type { Behaviour } from '../behaviour.ts';
import { emptyEntries } from '../resources/resource-identity.ts';

const apiVersions = [
  '2018-11-30',
  '2022-01-31-preview',
  '2023-01-31',
  '2023-07-31-preview',
  '2024-11-30',
  '2025-01-31-preview',
];

const invalidName = (what: string) => (name: string) =>
  refuse(
    400,
    'BadRequest',
    `The ${what} name '${name}' is invalid: it must start with a letter or number and hold 3 to 120 letters, numbers, '-' and '_'.`,
  );

/** Microsoft.ManagedIdentity. */
export const managedIdentityBehaviours: readonly Behaviour[] = [
  {
    type: 'Microsoft.ManagedIdentity/userAssignedIdentities',
    apiVersions,
    create: { status: 201, locationIsResource: true },
    update: { status: 200 },
    remove: { status: 200 },
    succeeded: '',
    lowerCaseGroups: true,
    name: { pattern: /^[A-Za-z0-9][A-Za-z0-9-_]{2,127}$/, refuse: invalidName('identity') },
    computed({ system, ids, tenantId }) {
      system['principalId'] ??= ids.uuid();
      system['clientId'] ??= ids.uuid();
      return { properties: { tenantId, principalId: system['principalId'], clientId: system['clientId'] } };
    },
    removed: ({ id }, { state }) => emptyEntries(state, id),
  },
  {
    type: 'Microsoft.ManagedIdentity/userAssignedIdentities/federatedIdentityCredentials',
    apiVersions: apiVersions.filter((version) => version !== '2018-11-30'),
    create: { status: 201, locationIsResource: true },
    update: { status: 200 },
    remove: { status: 200 },
    succeeded: '',
    patchable: false,
    lowerCaseGroups: true,
    name: { pattern: /^[A-Za-z0-9][A-Za-z0-9-_]{2,119}$/, refuse: invalidName('federated identity credential') },
    notFound: (path) =>
      refuse(
        404,
        'NotFound',
        `Resource '${path.id.replace(/\/resourcegroups\//i, '/resourcegroups/')}' was not found.`,
      ),
    validate({ request, path, state, settings, now }) {
      const { issuer, subject, audiences } = objectOf(request['properties']);
      for (const [name, value] of Object.entries({ issuer, subject })) {
        if (typeof value !== 'string' || value === '') {
          throw refuse(400, 'BadRequest', `The federated identity credential property '${name}' is missing or empty.`);
        }
      }
      if (!Array.isArray(audiences) || audiences.length !== 1) {
        throw refuse(
          400,
          'BadRequest',
          "The federated identity credential property 'audiences' must hold exactly one audience.",
        );
      }
      const siblings = state.resources
        .below(`${path.parentId}/federatedIdentityCredentials`)
        .filter(({ id }) => id.toLowerCase() !== path.id.toLowerCase());
      if (siblings.length >= 20) {
        throw refuse(400, 'BadRequest', 'Too many federated identity credentials: an identity has at most 20.');
      }
      if (
        siblings.some(
          (other) => at(other.body, 'properties.issuer') === issuer && at(other.body, 'properties.subject') === subject,
        )
      ) {
        throw refuse(
          409,
          'Conflict',
          `A federated identity credential with issuer '${issuer}' and subject '${subject}' exists on this identity.`,
        );
      }
      const window = settings.federatedWriteWindowMs;
      if (window > 0 && siblings.some((other) => now - other.changedAt < window)) {
        throw refuse(
          409,
          'ConcurrentFederatedIdentityCredentialsWritesForSingleManagedIdentity',
          `Too many Federated Identity Credentials are written concurrently for the managed identity '${path.parentId}'. Concurrent Federated Identity Credentials writes under the same managed identity are not supported.`,
        );
      }
    },
  },
];

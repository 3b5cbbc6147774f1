import { refuse } from '../../exchange.ts';
import type { Behaviour } from '../behaviour.ts';
import { emptyEntries } from '../resources/resource-identity.ts';
import { checkFederatedCredential } from './federated-credential.ts';

const apiVersions = [
  '2015-08-31-preview',
  '2018-11-30',
  '2021-09-30-preview',
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
    apiVersions: apiVersions.filter((version) => version >= '2022-01-31-preview'),
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
    validate: checkFederatedCredential,
  },
];

import { refuse } from '../../exchange.ts';
import { at, objectOf, stringOf } from '../../json.ts';
import type { Behaviour, WriteContext } from '../behaviour.ts';
import { roleDefinitionById } from '../roles/role-definitions.ts';

const compact = (id: string) => id.replaceAll('-', '');

function checkPrincipal({ request, directory, tenantId, settings, now }: WriteContext): void {
  const principalId = stringOf(at(request, 'properties.principalId'));
  if (at(request, 'properties.principalType')) return;
  const since = directory.byObjectId(principalId)?.createdAt ?? directory.groupSince(principalId);
  if (since !== undefined && now - since >= settings.principalReplicationMs) return;
  throw refuse(
    400,
    'PrincipalNotFound',
    `Principal ${compact(principalId)} does not exist in the directory ${tenantId}. Check that you have the correct principal ID. If you are creating this principal and then immediately assigning a role, this error might be related to a replication delay. In this case, set the role assignment principalType property to a value, such as ServicePrincipal, User, or Group.  See https://aka.ms/docs-principaltype`,
  );
}

/** Microsoft.Authorization. */
export const authorizationBehaviours: readonly Behaviour[] = [
  {
    type: 'Microsoft.Authorization/roleAssignments',
    apiVersions: [
      '2014-04-01-preview',
      '2014-07-01-preview',
      '2014-10-01-preview',
      '2015-05-01-preview',
      '2015-06-01',
      '2015-07-01',
      '2016-07-01',
      '2017-05-01',
      '2017-09-01',
      '2017-10-01',
      '2017-10-01-preview',
      '2018-01-01-preview',
      '2018-07-01',
      '2018-09-01-preview',
      '2018-12-01-preview',
      '2019-04-01-preview',
      '2020-03-01-preview',
      '2020-04-01-preview',
      '2020-08-01-preview',
      '2020-10-01-preview',
      '2022-01-01-preview',
      '2022-04-01',
    ],
    tracked: false,
    create: { status: 201 },
    update: { status: 200 },
    remove: { status: 200 },
    removeShowsBody: true,
    succeeded: '',
    patchable: false,
    name: {
      pattern: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i,
      refuse: (name) =>
        refuse(
          400,
          'InvalidRoleAssignmentId',
          `The role assignment ID '${name}' is not valid. The role assignment ID must be a GUID.`,
        ),
    },
    notFound: (path) => refuse(404, 'RoleAssignmentNotFound', `The role assignment '${path.name}' is not found.`),
    validate(context) {
      const { request, existing, state, path } = context;
      const { principalId, roleDefinitionId } = objectOf(request['properties']);
      if (!principalId) throw refuse(400, 'InvalidPrincipalId', 'The Principal ID is missing: a GUID is expected.');
      const roleId = stringOf(roleDefinitionId).split('/').at(-1) ?? '';
      if (!roleDefinitionById(roleId, state)) {
        throw refuse(
          400,
          'RoleDefinitionDoesNotExist',
          `The specified role definition with ID '${compact(roleId)}' does not exist.`,
        );
      }
      const before = objectOf(existing?.body['properties']);
      const sameRole = stringOf(before['roleDefinitionId']).toLowerCase().endsWith(roleId.toLowerCase());
      if (existing && (before['principalId'] !== principalId || !sameRole)) {
        throw refuse(
          400,
          'RoleAssignmentUpdateNotPermitted',
          'Tenant ID, application ID, principal ID, and scope are not allowed to be updated.',
        );
      }
      const twin = state.resources
        .ofType('Microsoft.Authorization/roleAssignments')
        .find(
          (other) =>
            other.id.toLowerCase() !== path.id.toLowerCase() &&
            stringOf(at(other.body, 'properties.scope')).toLowerCase() === path.scope.toLowerCase() &&
            at(other.body, 'properties.principalId') === principalId &&
            stringOf(at(other.body, 'properties.roleDefinitionId')).toLowerCase().endsWith(roleId.toLowerCase()),
        );
      if (twin) {
        throw refuse(
          409,
          'RoleAssignmentExists',
          `The role assignment already exists. The ID of the existing role assignment is ${compact(twin.name)}.`,
        );
      }
      if (!existing) checkPrincipal(context);
    },
    computed({ path, now, existing, request, caller, directory }) {
      const created = new Date(existing?.createdAt ?? now).toISOString();
      const group = directory.groupSince(stringOf(at(request, 'properties.principalId'))) !== undefined;
      return {
        properties: {
          principalType: at(request, 'properties.principalType') ?? (group ? 'Group' : 'ServicePrincipal'),
          scope: path.scope || '/',
          condition: at(request, 'properties.condition') ?? null,
          conditionVersion: at(request, 'properties.conditionVersion') ?? null,
          createdOn: created,
          updatedOn: created,
          createdBy: existing ? at(existing.body, 'properties.createdBy') : caller.objectId,
          updatedBy: caller.objectId,
          delegatedManagedIdentityResourceId: at(request, 'properties.delegatedManagedIdentityResourceId') ?? null,
          description: at(request, 'properties.description') ?? null,
        },
      };
    },
  },
];

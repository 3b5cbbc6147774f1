import { expect, test } from '@jest/globals';
import { kindOf } from '../../runtime/api/kinds.ts';
import { isSystemOwned } from '../../runtime/import/system-owned.ts';

const kind = (id: string) => {
  const [group, name = ''] = id.split('/');
  return kindOf(`${group}.azure.com`, name) as Parameters<typeof isSystemOwned>[0];
};

const changed = { source: 'user-override', value: '200', defaultValue: '151' };
const { mysql, postgresql, mariadb } = {
  mysql: kind('dbformysql/FlexibleServersConfiguration'),
  postgresql: kind('dbforpostgresql/FlexibleServersConfiguration'),
  mariadb: kind('dbformariadb/Configuration'),
};

// As ASO v2.20.0 has it: api/dbfor*/customizations/flexible_servers_configuration_extensions.go.
test.each([
  ['that somebody changed', false, changed],
  ['that MySQL lets one change', false, { ...changed, isReadOnly: 'False' }],
  ['that PostgreSQL lets one change', false, { ...changed, isReadOnly: false }],
  ['without properties', false, undefined],
  ['that MySQL protects', true, { ...changed, isReadOnly: 'True' }],
  ['that PostgreSQL protects', true, { ...changed, isReadOnly: true }],
  ['that nobody changed', true, { ...changed, source: 'system-default' }],
  ['with its default value', true, { ...changed, value: '151' }],
])('a setting of a database server %s is left to Azure: %s', (_, expected, properties) => {
  for (const each of [mysql, postgresql, mariadb]) {
    expect(isSystemOwned(each, '/subscriptions/s/x/max_connections', { ...(properties && { properties }) })).toBe(
      expected,
    );
  }
});

/** How much of the fields of all kinds Azure's SDK describes: gets its packages, from npm's cache or the registry. */
import { expect, test } from '@jest/globals';
import { kindTexts } from '../../tools/descriptions/kind-texts.ts';
import { fieldsOf } from '../../tools/descriptions/match.ts';
import { shareOf } from '../../tools/descriptions/share.ts';
import { idOf, readCatalogue } from '../../tools/generate/catalogue.ts';
import { meaningAt } from '../../tools/generate/meanings.ts';
import { mergeVersions } from '../../tools/generate/merge-versions.ts';

/** Kinds with fields whose packages do not have them, or that have no package. A new kind of these is a decision. */
const describedByNone = [
  'alertsmanagement/PrometheusRuleGroup',
  'alertsmanagement/SmartDetectorAlertRule',
  'appconfiguration/Snapshot',
  'cache/RedisEnterprise',
  'cache/RedisEnterpriseDatabaseAccessPolicyAssignment',
  'databasewatcher/SharedPrivateLink',
  'databasewatcher/Target',
  'databasewatcher/Watcher',
  'dataprotection/BackupVault',
  'dataprotection/BackupVaultsBackupInstance',
  'dataprotection/BackupVaultsBackupPolicy',
  'dbformysql/User',
  'dbforpostgresql/User',
  'entra/SecurityGroup',
  'machinelearningservices/Registry',
  'monitor/Account',
  'redhatopenshift/HcpOpenShiftCluster',
  'redhatopenshift/HcpOpenShiftClustersExternalAuth',
  'redhatopenshift/HcpOpenShiftClustersNodePool',
  'redhatopenshift/OpenShiftCluster',
  'sql/User',
];

test('packages describe nearly all fields, and the catalogue alone is for the kinds that they lack', () => {
  const entries = readCatalogue().map(mergeVersions);
  const texts = kindTexts(entries);
  const shares = entries.map((entry) => {
    const of = texts.get(idOf(entry)) ?? { texts: new Map() };
    return { id: idOf(entry), ...shareOf(fieldsOf(entry), of, entry.meanings) };
  });
  const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0);
  const missing = sum(shares.map((share) => share.missing.length));
  const described = sum(shares.map(({ packages, catalogue }) => packages + catalogue));
  const status = sum(shares.map((share) => share.status.described)) / sum(shares.map((share) => share.status.all));
  expect(described / (described + missing)).toBeGreaterThanOrEqual(0.99);
  expect(status).toBeGreaterThanOrEqual(0.87);
  const alone = shares.filter(({ packages, catalogue, missing }) => packages === 0 && catalogue + missing.length > 0);
  expect(alone.map(({ id }) => id).sort()).toEqual(describedByNone);

  const double = entries.flatMap((entry) => {
    const described = [...(texts.get(idOf(entry))?.texts.keys() ?? [])].filter((path) =>
      meaningAt(entry.meanings, path),
    );
    return described.map((path) => `${idOf(entry)} ${path}`);
  });
  // A text of a package stands before the catalogue's, which then is for nothing.
  expect(double).toEqual([]);
});

import { expect, test } from '@jest/globals';
import { operatorConfig } from '../../runtime/operator/config.ts';
import { retryDelay, retryNote } from '../../runtime/operator/effects/failures.ts';

test('flags win over the environment, which wins over the defaults', () => {
  expect(operatorConfig([], {})).toMatchObject({
    healthPort: 8081,
    syncPeriodMs: 3_600_000,
    maxConcurrentReconciles: 4,
    defaultPolicy: 'manage',
    leaderElection: true,
    targetNamespaces: [],
  });
  const env = { AZURE_SYNC_PERIOD: '1h30m', MAX_CONCURRENT_RECONCILES: '7', AZURE_TARGET_NAMESPACES: 'a, b' };
  expect(operatorConfig(['--sync-period=never'], env)).toMatchObject({
    syncPeriodMs: undefined,
    maxConcurrentReconciles: 7,
    targetNamespaces: ['a', 'b'],
  });
  expect(operatorConfig([], env)).toMatchObject({ syncPeriodMs: 5_400_000 });
});

test.each([
  [['--sync-period=5x'], {}, '--sync-period (AZURE_SYNC_PERIOD)'],
  [['--sync-period=-5m'], {}, '--sync-period (AZURE_SYNC_PERIOD)'],
  [[], { MAX_CONCURRENT_RECONCILES: '0' }, '--max-concurrent-reconciles (MAX_CONCURRENT_RECONCILES)'],
  [[], { DEFAULT_RECONCILE_POLICY: 'Manage' }, '--default-reconcile-policy (DEFAULT_RECONCILE_POLICY)'],
  [[], { AZURE_OPERATOR_KEYVAULT: 'no_vault' }, '--operator-key-vault (AZURE_OPERATOR_KEYVAULT)'],
  [['--kinds=storage.azure.com'], {}, '`--kinds (AZIMUTH_KINDS)` to be globs over group/Kind, separated by semicolons'],
  [['--lease-duration=9s'], {}, '`--renew-deadline (RENEW_DEADLINE)` to be less than --lease-duration, 9s, got `10s`'],
  [
    ['--lease-duration=1m', '--retry-period=9s'],
    {},
    '`--retry-period (RETRY_PERIOD)` to be less than --renew-deadline',
  ],
  [
    ['--check-service-accounts', '--kinds=storage.azure.com/*;managedidentity.azure.com/User*'],
    {},
    '`--kinds (AZIMUTH_KINDS)` to be kinds with managedidentity.azure.com/FederatedIdentityCredential, which',
  ],
  [
    ['--allow-access-grants', '--multi-tenant'],
    {},
    '`--allow-access-grants (AZIMUTH_ALLOW_ACCESS_GRANTS)` to be false with --multi-tenant',
  ],
  [['--nonsense'], {}, 'unknown flag --nonsense; run azimuth operator --help'],
])('%j %j is refused, and the message names the setting', (argv, env, name) => {
  expect(() => operatorConfig(argv, env)).toThrow(expect.objectContaining({ code: 'AZ_CONFIG_INVALID' }));
  expect(() => operatorConfig(argv, env)).toThrow(name);
});

test('retries double up to their bound, never undercut Retry-After, and end for what is final', () => {
  const slow = { retryClass: 'slow', retryAfterMs: undefined } as const;
  const delays = [0, 1, 2, 10, 100].map((attempt) => retryDelay(slow, attempt, undefined) ?? 0);
  expect(delays[0]).toBeLessThanOrEqual(1000);
  for (const delay of delays.slice(3)) {
    expect(delay).toBeLessThanOrEqual(180_000);
    expect(delay).toBeGreaterThanOrEqual(135_000);
  }
  expect(retryDelay({ ...slow, retryAfterMs: 500_000 }, 0, undefined)).toBe(500_000);
  expect(retryDelay({ retryClass: 'none', retryAfterMs: 5 }, 0, undefined)).toBeUndefined();
  const rare = retryDelay({ retryClass: 'verySlow', retryAfterMs: undefined }, 9, 60_000) ?? 0;
  expect(rare).toBeGreaterThanOrEqual(45_000);
  expect(rare).toBeLessThanOrEqual(60_000);
  const seldom = [0, 1, 2, 3].map((tries) =>
    retryDelay({ retryClass: 'verySlow', retryAfterMs: undefined }, tries, undefined),
  );
  for (const [index, ms = 0] of seldom.entries()) expect(ms).toBeLessThanOrEqual(5000 * 2 ** index);
  expect(seldom[3]).toBeGreaterThanOrEqual(30_000);
  expect(retryNote('none')).toMatch(/not tried again until the object changes/);
});

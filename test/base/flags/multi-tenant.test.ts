import { expect, test } from '@jest/globals';
import { openToNamespaces } from '../../../runtime/azure/identity/identity-policy.ts';
import { multiTenantSetting, warnSingleTenant } from '../../../runtime/base/flags/multi-tenant.ts';
import { createLogger } from '../../../runtime/base/observability/log.ts';
import { identityConfig, identitySettings } from '../../../runtime/identity/config.ts';
import { nmiConfig, settings as nmiSettings } from '../../../runtime/nmi/config/config.ts';
import { operatorConfig, settings as operatorSettings } from '../../../runtime/operator/config.ts';
import { secretsConfig, secretsSettings } from '../../../runtime/secrets/config.ts';
import { agentConfig, agentSettings } from '../../../runtime/volumes/agent/config.ts';

const uuid = '11111111-2222-3333-4444-555555555555';
const programs = {
  operator: [operatorSettings, operatorConfig],
  identity: [identitySettings, identityConfig],
  nmi: [nmiSettings, nmiConfig],
  volumes: [agentSettings, agentConfig],
  secrets: [secretsSettings, secretsConfig],
} as const;

test.each(Object.entries(programs))(
  'azimuth %s has the multi-tenant profile as a setting, off by default',
  (_, program) => {
    const [settings, configOf] = program;
    const env = { NODENAME: 'node-1', AZURE_TENANT_ID: uuid, AZIMUTH_SECRETS_AUDIENCE: 'api' };
    expect(settings.multiTenant).toBe(multiTenantSetting);
    expect(configOf([], env)).toMatchObject({ multiTenant: false });
    expect(configOf(['--multi-tenant'], env)).toMatchObject({ multiTenant: true });
    expect(configOf([], { ...env, AZIMUTH_MULTI_TENANT: 'true' })).toMatchObject({ multiTenant: true });
    expect(() => configOf([], { ...env, AZIMUTH_MULTI_TENANT: 'yes' })).toThrow(
      /--multi-tenant \(AZIMUTH_MULTI_TENANT\)` to be true or false/,
    );
  },
);

test('under the profile bindings and identities serve pods of their own namespace only', () => {
  expect(identityConfig(['--multi-tenant'], {})).toMatchObject({ forceNamespaced: true });
  expect(nmiConfig(['--node=a', '--multi-tenant', '--operation-mode=managed'], {})).toMatchObject({
    forceNamespaced: true,
  });
  expect(identityConfig(['--multi-tenant', '--forceNamespaced=false'], {})).toMatchObject({ forceNamespaced: true });
});

test('under the profile missing scopes allow nothing, and without it everything', () => {
  const secrets = { AZURE_TENANT_ID: uuid, AZIMUTH_SECRETS_AUDIENCE: 'api' };
  expect(secretsConfig(['--multi-tenant'], secrets)).toMatchObject({ credentialScopes: [] });
  expect(secretsConfig([], secrets)).toMatchObject({ credentialScopes: undefined });
  expect(agentConfig(['--node=a', '--multi-tenant'], {})).toMatchObject({ identityScopes: [] });
  expect(agentConfig(['--node=a'], {})).toMatchObject({ identityScopes: undefined });
});

test('the warning of a program without the profile names what is open and the setting', () => {
  const lines: string[] = [];
  const log = createLogger('test', { level: 'warn', destination: { write: (line) => void lines.push(line) } });
  const open = openToNamespaces({ multiTenant: false, forceNamespaced: true, scopes: undefined });
  warnSingleTenant(log, open);
  expect(lines).toHaveLength(1);
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    level: 'warn',
    open: [expect.stringContaining('--identity-scopes'), expect.stringContaining('Secret of any namespace')],
    setting: '--multi-tenant (AZIMUTH_MULTI_TENANT)',
  });
  expect(openToNamespaces({ multiTenant: true, forceNamespaced: true, scopes: undefined })).toEqual([]);
});

import type { Logger } from '../observability/log.ts';
import type { Flag } from '../program.ts';
import { bool } from '../settings.ts';

/** The setting of every program: whether the namespaces belong to tenants that do not trust each other. */
export const multiTenantSetting = {
  flag: 'multi-tenant',
  env: 'AZIMUTH_MULTI_TENANT',
  default: 'false',
  boolean: true,
  meaning: 'enforce the boundary between namespaces, see docs/guides/multi-tenant.md',
  parse: bool,
} as const satisfies Flag;

/** The one warning of a program without the profile. `open` lists the actions on other namespaces that it allows. */
export function warnSingleTenant(log: Logger, open: readonly string[]): void {
  const setting = `--${multiTenantSetting.flag} (${multiTenantSetting.env})`;
  log.warn({ open, setting }, 'the multi-tenant profile is off: namespaces are not kept apart');
}
